import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A model on this machine, and what it was told of its tool calls. */
export interface PlayedModel {
  /** Ends with `/v1`. */
  url: string
  /** Tool names of every request. */
  offered: string[][]
  close(): void
}

interface Body {
  tools?: { name?: string; function?: { name: string } }[]
  input?: { type?: string; call_id?: string; output?: unknown }[]
  messages?: { role: string; content: unknown; tool_call_id?: string }[]
}

/**
 * Plays a model for OpenAI's two APIs and Anthropic's: it looks the order up and refunds it, both at
 * once, and when it has heard of both it says what it heard.
 */
export async function playModel(): Promise<PlayedModel> {
  const offered: string[][] = []
  let ids = 0
  const answer = async (request: IncomingMessage): Promise<string> => {
    const body = (await json(request)) as Body
    offered.push((body.tools ?? []).map((tool) => tool.name ?? tool.function?.name ?? ''))
    const results = heard(body)
    ids += 1
    const said = results.length === 0 ? calls : { text: `Heard: ${results.join(' | ')}` }
    const path = request.url ?? ''
    if (path.endsWith('/responses')) return JSON.stringify(asResponse(said, ids))
    return JSON.stringify(
      path.endsWith('/messages') ? asMessage(said, ids) : asCompletion(said, ids),
    )
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    void answer(request).then((text) => response.end(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, offered, close: () => server.close() }
}

type Answer = { text: string } | { calls: { name: string; input: object }[] }

const calls: Answer = {
  calls: [
    { name: 'orders_find', input: { order: 'A-7' } },
    { name: 'orders_refund', input: { order: 'A-7', amount: 20 } },
  ],
}

/** The results that stand in a request, as texts. */
function heard({ input = [], messages = [] }: Body): string[] {
  const outputs = Array.isArray(input)
    ? input.filter(({ type }) => type === 'function_call_output').map(({ output }) => flat(output))
    : []
  const tools = messages.filter(({ role }) => role === 'tool').map(({ content }) => flat(content))
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const uses = (blocks as { type: string; content?: unknown }[])
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => flat(content))
  return [...outputs, ...tools, ...uses]
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return (value as { text?: string }[]).map(({ text = '' }) => text).join('')
}

function asResponse(answer: Answer, id: number) {
  const said = (text: string) => [
    {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    },
  ]
  const called = (made: { name: string; input: object }[]) =>
    made.map(({ name, input }, index) => ({
      type: 'function_call',
      id: `fc_${id}_${index}`,
      call_id: `call_${id}_${index}`,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }))
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    model: 'played',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: 'text' in answer ? said(answer.text) : called(answer.calls),
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  }
}

function asCompletion(answer: Answer, id: number) {
  const message =
    'text' in answer
      ? { role: 'assistant', content: answer.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: answer.calls.map(({ name, input }, index) => ({
            id: `call_${id}_${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        }
  const finish_reason = 'text' in answer ? 'stop' : 'tool_calls'
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1,
    model: 'played',
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

function asMessage(answer: Answer, id: number) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'played',
    content:
      'text' in answer
        ? [{ type: 'text', text: answer.text }]
        : answer.calls.map(({ name, input }, index) => ({
            type: 'tool_use',
            id: `toolu_${id}_${index}`,
            name,
            input,
          })),
    stop_reason: 'text' in answer ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}
