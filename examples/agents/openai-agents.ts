import { Agent, OpenAIProvider, Runner, RunState, tool } from '@openai/agents'
import { toOpenAIAgents } from 'toolcrib/ai-sdk'
import { anna, type WithPort } from './orders.ts'
import { runExample } from './run-example.ts'

/** The OpenAI Agents SDK: what waits for a person is an interruption of the run. */
export async function withAgents(crib: WithPort, baseURL: string): Promise<string> {
  const port = crib.port({ sessionId: 'agents', approver: anna })
  const { tools, resume } = await toOpenAIAgents(port, { tool, runId: 'agents' })
  const agent = new Agent({
    name: 'Support',
    instructions: 'Help with orders.',
    model: 'played',
    tools,
  })
  const modelProvider = new OpenAIProvider({ baseURL, apiKey: 'none', useResponses: true })
  const runner = new Runner({ modelProvider, tracingDisabled: true })
  const stopped = await runner.run(agent, 'Refund order A-7.')

  // Nobody has said anything yet: the crib lets nothing through.
  const { waiting } = await resume(stopped)
  if (waiting.length !== 1) throw new Error('The refund should wait for a person')

  // Keep the state as text for as long as it takes; then pass on what Anna said, and run on.
  const state = await RunState.fromString(agent, stopped.state.toString())
  const interruptions = state.getInterruptions()
  await resume({ state, interruptions }, { [waiting[0]?.toolCallId ?? '']: { approved: true } })
  const result = await runner.run(agent, state)
  return String(result.finalOutput)
}

await runExample(import.meta.url, {
  'OpenAI Agents SDK': (crib, baseURL) => withAgents(crib, baseURL),
})
