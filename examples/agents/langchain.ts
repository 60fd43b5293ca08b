import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { toLangChain } from 'toolcrib/ai-sdk'
import { anna, type WithPort } from './orders.ts'
import { runExample } from './run-example.ts'

/** LangChain: what waits for a person interrupts the graph, and a checkpointer keeps it. */
export async function withGraph(crib: WithPort): Promise<string> {
  const port = crib.port({ sessionId: 'graph', approver: anna })
  const { tools } = await toLangChain(port, { tool, interrupt, runId: 'graph' })
  const model = fakeModel()
    .respondWithTools([
      { id: 'one', name: 'orders_find', args: { order: 'A-7' } },
      { id: 'two', name: 'orders_refund', args: { order: 'A-7', amount: 20 } },
    ])
    .respond((messages) => {
      const results = messages.filter((message) => message.getType() === 'tool')
      return new AIMessage(`Heard: ${results.map((message) => message.text).join(' | ')}`)
    })
  const agent = createReactAgent({ llm: model, tools, checkpointer: new MemorySaver() })
  const thread = { configurable: { thread_id: 'graph' } }
  const stopped = await agent.invoke({ messages: 'Refund order A-7.' }, thread)
  if (!('__interrupt__' in stopped)) throw new Error('The refund should wait for a person')
  const result = await agent.invoke(new Command({ resume: { approved: true } }), thread)
  return result.messages.at(-1)?.text ?? ''
}

await runExample(import.meta.url, { LangChain: (crib) => withGraph(crib) })
