import type { CallerClient, ClientRequest } from '../../core/kernel/context/caller-client.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Askers } from '../wire/peer.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** A call that runs, as questions of its server meet it. */
export interface CallFrame {
  /** As the server calls it. */
  readonly tool: string
  client: CallerClient | undefined
  /** Why a question was not answered: what the call fails of, if it fails. */
  unanswered?: ToolError
  /** A question was its own for certain. */
  hasAsked?: boolean
}

const nobody = 'nobody is there to be asked'
const askable = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])

/** Puts questions to the caller. Rejects with `client_unable` if the caller cannot be asked. */
export async function askCaller(
  frame: CallFrame,
  questions: Readonly<Record<string, unknown>>,
): Promise<Record<string, JsonValue>> {
  const requests = Object.fromEntries(
    Object.entries(questions).map(([key, question]) => [key, toRequest(question)]),
  )
  const methods = [...new Set(Object.values(requests).map(({ method }) => method))]
  try {
    if (frame.client === undefined) throw unable(methods, nobody)
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

/** Tools of a server that ask their callers. */
export interface AskingTools {
  /** It asked, and no other call did. */
  learn(tool: string): void
  /** It may have been this one. */
  suspect(tool: string): void
}

/**
 * Answers a question of a server, which names no call. On the stream of a call it is that call's. On
 * a connection that several may share it goes to the only call that runs. Where there are several, or
 * one was given up that the server may still be at work on, it would be put to a stranger, who may be
 * of another tenant, so it is refused; the tools are noted, and get connections of their own.
 */
export async function answerServer(
  { method, params }: { method: string; params: JsonRecord },
  { frames, hasStrays, isKnown }: Askers,
  asking: AskingTools,
): Promise<JsonRecord> {
  if (!askable.has(method)) throw new ToolError('upstream_failed', `${method} is not supported`)
  const running = frames as readonly CallFrame[]
  const [only] = running.length === 1 && !hasStrays ? running : []
  // Servers ask for roots when they start; the answer concerns no call.
  if (method === 'roots/list' && only?.client?.abilities.has('roots') !== true) return { roots: [] }
  if (only === undefined) throw refuse(method, running, asking)
  only.hasAsked = true
  // A server that asks for roots caches them, and more with them, so its calls belong in one
  // process.
  if (!isKnown && method !== 'roots/list') asking.learn(only.tool)
  const { answer } = await askCaller(only, { answer: { method, params } })
  return answer as JsonRecord
}

function refuse(method: string, running: readonly CallFrame[], asking: AskingTools): ToolError {
  for (const frame of running) {
    frame.unanswered = isAble(frame) ? shared(method) : unable([method], nobody)
    asking.suspect(frame.tool)
  }
  return running.length === 0 ? unable([method], 'no call waits for it') : shared(method)
}

/** Can its caller be asked anything at all? */
export function isAble({ client }: CallFrame): boolean {
  return (client?.abilities.size ?? 0) > 0
}

/**
 * A question was refused because its call could not be identified. Run alone, the call can be
 * answered.
 */
export function isShared({ unanswered }: CallFrame): boolean {
  return unanswered?.details['isShared'] === true
}

function shared(method: string): ToolError {
  return new ToolError(
    'client_unable',
    `The tool asks its caller (${method}), and other calls use the same connection, so it is not clear which one asks`,
    {
      fix: 'Try again: it now gets a connection of its own.',
      retryable: true,
      details: { isShared: true },
    },
  )
}
