import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { toMastra } from 'toolcrib/ai-sdk'
import { anna, type WithPort } from './orders.ts'
import { runExample } from './run-example.ts'

/** Mastra: a tool that asks suspends the run, which is kept in Mastra's storage meanwhile. */
export async function withMastra(crib: WithPort, baseURL: string): Promise<string> {
  const port = crib.port({ sessionId: 'mastra', approver: anna })
  const { tools } = await toMastra(port, { createTool, runId: 'mastra' })
  const support = new Agent({
    id: 'support',
    name: 'Support',
    instructions: 'Help with orders.',
    model: { id: 'played/model', url: baseURL, apiKey: 'none' },
    tools,
  })
  const mastra = new Mastra({ agents: { support }, storage: new InMemoryStore(), logger: false })
  const agent = mastra.getAgent('support')
  const stopped = await agent.generate('Refund order A-7.')
  if (stopped.finishReason !== 'suspended') throw new Error('The refund should wait for a person')
  const { toolCallId } = stopped.suspendPayload as { toolCallId: string }
  const result = await agent.approveToolCallGenerate({ runId: stopped.runId ?? '', toolCallId })
  return result.text
}

await runExample(import.meta.url, { Mastra: (crib, baseURL) => withMastra(crib, baseURL) })
