import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model is asked, as far as tests look at it. */
export interface ModelRequest {
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[]
  tools?: { function: { name: string } }[]
  stream?: boolean
}

interface ToolCall {
  name: string
  /** JSON text, or what is to become it. */
  input: unknown
  id?: string
}

/** One answer of the model, in the words of the OpenAI API. */
export type ModelAnswer =
  | {
      text: string
      delayMs?: number
      finish?: string
      hasNoUsage?: boolean
      /** Lets the request wait so long, and says so. */
      queuedMs?: number
    }
  | { calls: readonly ToolCall[]; text?: string; finish?: string }
  | { status: number; headers?: Record<string, string>; message?: string }
  | { cut: string }
  /** Says this, and then nothing more. */
  | { pause: string }
  /** Takes the request and says nothing. */
  | { hang: true }

export type Script = (request: ModelRequest, number: number) => ModelAnswer | Promise<ModelAnswer>

/** A model behind HTTP that says what a test wants it to say. */
export async function startFakeModel(script: Script) {
  const requests: ModelRequest[] = []
  let hungUp = 0
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const asked = JSON.parse(body) as ModelRequest
      requests.push(asked)
      response.on('close', () => {
        if (!response.writableFinished) hungUp += 1
      })
      void Promise.resolve(script(asked, requests.length)).then((answer) =>
        asked.stream === true || !('text' in answer)
          ? send(response, answer)
          : sendWhole(response, answer.text ?? ''),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    /** How many did not wait for the end of their answer. */
    hungUp: () => hungUp,
    url: `http://127.0.0.1:${port}/v1`,
    config: { models: { compatible: { fake: { baseUrl: `http://127.0.0.1:${port}/v1` } } } },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const fakeModel = 'openai-compatible/fake/any'

/** The whole answer at once, for who does not ask for a stream. */
function sendWhole(response: ServerResponse, content: string): void {
  const message = { role: 'assistant', content }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'any',
      usage,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }),
  )
}

async function send(response: ServerResponse, answer: ModelAnswer): Promise<void> {
  if ('status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(
      JSON.stringify({ error: { message: answer.message ?? `made up ${answer.status}` } }),
    )
    return
  }
  if ('hang' in answer) return
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const say = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'any', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )
  if ('queuedMs' in answer) await keepAlive(response, answer.queuedMs ?? 0)
  if ('pause' in answer) {
    if (answer.pause === '') response.flushHeaders()
    else say({ role: 'assistant', content: answer.pause })
    return
  }
  if ('cut' in answer) {
    say({ role: 'assistant', content: answer.cut })
    // Otherwise the words go down with the connection.
    setTimeout(() => response.destroy(), 50)
    return
  }
  if ('calls' in answer) {
    sayCalls(answer, say)
  } else {
    await sayWords(answer, say)
  }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  const isTold = !('hasNoUsage' in answer && answer.hasNoUsage === true)
  if (isTold) {
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'any', choices: [], usage })}\n\n`,
    )
  }
  response.end('data: [DONE]\n\n')
}

/** As servers do that have more to do than they can. */
async function keepAlive(response: ServerResponse, forMs: number): Promise<void> {
  for (let waited = 0; waited < forMs; waited += 200) {
    response.write(': keep-alive\n\n')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function sayCalls(
  { calls, text, finish = 'tool_calls' }: Extract<ModelAnswer, { calls: readonly ToolCall[] }>,
  say: (delta: object, finish?: string | null) => unknown,
): void {
  if (text !== undefined) say({ role: 'assistant', content: text })
  for (const [index, { name, input, id }] of calls.entries()) {
    const written = typeof input === 'string' ? input : JSON.stringify(input)
    const call = {
      index,
      id: id ?? `t${index}`,
      type: 'function',
      function: { name, arguments: written },
    }
    say({ role: 'assistant', tool_calls: [call] })
  }
  say({}, finish)
}

async function sayWords(
  { text, delayMs, finish = 'stop' }: Extract<ModelAnswer, { text: string; finish?: string }>,
  say: (delta: object, finish?: string | null) => unknown,
): Promise<void> {
  for (const word of text.split(/(?<= )/)) {
    say({ role: 'assistant', content: word })
    if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
  say({}, finish)
}
