import type { CallerClient, ClientRequest } from '../../core/client/caller-client.ts'
import { isToolError, ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** A call that runs, as questions of its server meet it. */
export interface CallFrame {
  /** As the server calls it. */
  readonly tool: string
  client: CallerClient | undefined
  /** Why a question was not answered: what the call fails of, if it fails. */
  unanswered?: ToolError
}

const askable = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])

/** Puts questions to whoever called. Rejects with `client_unable` where there is no answer to be had. */
export async function askCaller(
  frame: CallFrame,
  questions: Readonly<Record<string, unknown>>,
): Promise<Record<string, JsonValue>> {
  const requests = Object.fromEntries(
    Object.entries(questions).map(([key, question]) => [key, toRequest(question)]),
  )
  const methods = [...new Set(Object.values(requests).map(({ method }) => method))]
  try {
    if (frame.client === undefined) throw unable(methods, 'nobody is there to be asked')
    return await frame.client.ask(requests)
  } catch (error) {
    frame.unanswered = isToolError(error) ? error : unable(methods, 'the answer could not be had')
    throw frame.unanswered
  }
}

function toRequest(question: unknown): ClientRequest {
  const { method, params } = (question ?? {}) as { method?: unknown; params?: JsonValue }
  if (typeof method !== 'string' || !askable.has(method)) {
    throw new ToolError(
      'upstream_failed',
      `The server asks ${JSON.stringify(method)}, which nobody can answer`,
    )
  }
  return { method: method as ClientRequest['method'], params: params ?? {} }
}

function unable(methods: readonly string[], why: string): ToolError {
  return new ToolError(
    'client_unable',
    `The tool asks its caller (${methods.join(', ')}), and ${why}`,
    { fix: 'Call it from a client that can answer, such as an MCP client with elicitation.' },
  )
}

/**
 * Answers a question that came over a connection several calls may share, which names none of them.
 * It goes to the only call that runs. Where there are several it would be put to a stranger, who may
 * be of another tenant, so it is refused; their tools are noted, and get connections of their own.
 */
export async function answerServer(
  { method, params }: { method: string; params: JsonRecord },
  frames: readonly CallFrame[],
  asking: { add(tool: string): unknown },
): Promise<JsonRecord> {
  if (!askable.has(method)) throw new ToolError('upstream_failed', `${method} is not supported`)
  const [only] = frames.length === 1 ? frames : []
  // Servers ask for roots when they start; the answer concerns no call.
  if (method === 'roots/list' && only?.client?.abilities.has('roots') !== true) return { roots: [] }
  if (only === undefined) {
    const error = unable([method], 'several calls run, so nobody can tell which one asks')
    for (const frame of frames) {
      frame.unanswered = error
      asking.add(frame.tool)
    }
    throw error
  }
  asking.add(only.tool)
  const { answer } = await askCaller(only, { answer: { method, params } })
  return answer as JsonRecord
}
