import OpenAI from 'openai'
import { toOpenAI, toOpenAIChat } from 'toolcrib/ai-sdk'
import type { WithPort } from './orders.ts'
import { runExample } from './run-example.ts'

/** The Responses API, with a loop of our own. */
export async function withResponses(crib: WithPort, baseURL: string): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey: 'none' })
  const { tools, run } = await toOpenAI(crib.port({ sessionId: 'responses' }), {
    runId: 'responses',
  })
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Refund order A-7.' }]
  for (;;) {
    const response = await client.responses.create({ model: 'played', input, tools })
    const { items, waiting } = await run(response)
    if (waiting.length > 0) {
      // The console, the command line or your own page; here somebody says yes at once.
      await approve(crib, waiting)
      const { items: all } = await run(response)
      items.splice(0, items.length, ...all)
    }
    if (items.length === 0) return response.output_text
    input.push(...(response.output as OpenAI.Responses.ResponseInput), ...items)
  }
}

/** The Chat Completions API, which many servers speak. */
export async function withChat(crib: WithPort, baseURL: string): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey: 'none' })
  const { tools, run } = await toOpenAIChat(crib.port({ sessionId: 'chat' }), { runId: 'chat' })
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: 'Refund order A-7.' },
  ]
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'played', messages, tools })
    const message = choices[0]?.message
    if (message === undefined) throw new Error('The model said nothing')
    const first = await run(message)
    await approve(crib, first.waiting)
    const { items } = first.waiting.length > 0 ? await run(message) : first
    if (items.length === 0) return message.content ?? ''
    messages.push(message, ...items)
  }
}

/** What somebody does elsewhere: says yes to what waits. */
export async function approve(
  crib: WithPort,
  waiting: readonly { approvalId: string; callId: string }[],
) {
  const { decide } = crib.port({ approver: { user: 'anna' } })
  for (const { approvalId, callId } of waiting)
    await decide?.({ approvalId, callId, approved: true })
}

await runExample(import.meta.url, {
  'OpenAI, Responses API': withResponses,
  'OpenAI, Chat Completions API': withChat,
})
