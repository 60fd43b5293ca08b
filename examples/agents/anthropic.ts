import Anthropic from '@anthropic-ai/sdk'
import { toAnthropic } from 'toolcrib/ai-sdk'
import { approve } from './openai.ts'
import type { WithPort } from './orders.ts'
import { runExample } from './run-example.ts'

/** Anthropic's own package, with a loop of our own and the tools in the prompt cache. */
export async function withMessages(crib: WithPort, url: string): Promise<string> {
  const client = new Anthropic({ baseURL: url.replace(/\/v1$/, ''), apiKey: 'none' })
  const { tools, run } = await toAnthropic(crib.port({ sessionId: 'anthropic' }), {
    runId: 'anthropic',
    cacheControl: true,
  })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Refund order A-7.' }]
  for (;;) {
    const message = await client.messages.create({
      model: 'played',
      max_tokens: 500,
      messages,
      tools,
    })
    const first = await run(message)
    await approve(crib, first.waiting)
    const { items } = first.waiting.length > 0 ? await run(message) : first
    if (items.length === 0) {
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    }
    messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: items })
  }
}

await runExample(import.meta.url, { Anthropic: (crib, baseURL) => withMessages(crib, baseURL) })
