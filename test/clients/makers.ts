/** A tool as a model is given it. */
export interface GivenTool {
  name: string
  /** Some clients put the tools of one server under one name. */
  namespace?: string
}

export interface ChosenTool extends GivenTool {
  input: unknown
}

/** How one maker of models is asked, and how it answers: a call, or a word that it is done. */
interface Maker {
  path: RegExp
  read(body: unknown): { tools: GivenTool[]; results: string[] }
  answer(call: ChosenTool | undefined): string
}

interface AnthropicBody {
  tools?: GivenTool[]
  messages: { content: string | { type: string; content?: unknown }[] }[]
}

const anthropic: Maker = {
  path: /\/v1\/messages/,
  read(body) {
    const { tools = [], messages } = body as AnthropicBody
    const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    const results = parts.filter(({ type }) => type === 'tool_result')
    return { tools, results: results.map(({ content }) => JSON.stringify(content)) }
  },
  answer(call) {
    const block =
      call === undefined
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${Date.now()}`, name: call.name, input: {} }
    const delta =
      call === undefined
        ? { type: 'text_delta', text: 'Done.' }
        : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: `msg_${Date.now()}`, type: 'message', role: 'assistant', content: [] }
    const stop = { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null }
    return toEvents([
      { type: 'message_start', message: { ...message, model: 'played', usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage },
      { type: 'message_stop' },
    ])
  },
}

interface OpenAIBody {
  tools?: (GivenTool & { type: string; tools?: GivenTool[] })[]
  input?: { type?: string; output?: unknown }[]
}

const openai: Maker = {
  path: /\/responses/,
  read(body) {
    const { tools = [], input = [] } = body as OpenAIBody
    const given = tools.flatMap(({ type, name, tools: inner = [] }) =>
      type === 'namespace'
        ? inner.map((tool) => ({ name: tool.name, namespace: name }))
        : [{ name: name ?? type }],
    )
    const results = input.filter(({ type }) => type === 'function_call_output')
    return { tools: given, results: results.map(({ output }) => JSON.stringify(output)) }
  },
  answer(call) {
    const id = `${Date.now()}`
    const item =
      call === undefined
        ? {
            type: 'message',
            id,
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
          }
        : {
            type: 'function_call',
            id,
            call_id: `call_${id}`,
            name: call.name,
            ...(call.namespace !== undefined && { namespace: call.namespace }),
            arguments: JSON.stringify(call.input),
          }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const response = { id: `resp_${id}`, object: 'response', output: [] }
    return toEvents([
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output: [item], usage },
      },
    ])
  },
}

interface GoogleBody {
  tools?: { functionDeclarations?: GivenTool[] }[]
  contents?: { parts?: { functionResponse?: unknown }[] }[]
}

const google: Maker = {
  path: /:streamGenerateContent/,
  read(body) {
    const { tools = [], contents = [] } = body as GoogleBody
    const results = contents
      .flatMap(({ parts = [] }) => parts)
      .filter(({ functionResponse }) => functionResponse !== undefined)
    return {
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
      results: results.map(({ functionResponse }) => JSON.stringify(functionResponse)),
    }
  },
  answer(call) {
    const part =
      call === undefined
        ? { text: 'Done.' }
        : { functionCall: { id: `${Date.now()}`, name: call.name, args: call.input } }
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }
    return toEvents([{ candidates: [candidate] }])
  },
}

export const makers: readonly Maker[] = [anthropic, openai, google]

function toEvents(events: readonly Readonly<Record<string, unknown>>[]): string {
  const named = ({ type }: Readonly<Record<string, unknown>>) =>
    typeof type === 'string' ? `event: ${type}\n` : ''
  return events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join('')
}
