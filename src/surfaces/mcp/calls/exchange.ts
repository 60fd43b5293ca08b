import type {
  CallerClient,
  ClientAbility,
  ClientRequest,
} from '../../../core/client/caller-client.ts'
import { ToolError } from '../../../core/errors.ts'
import type { JsonValue } from '../../../core/tool.ts'
import { abilitiesFor, isAnswer } from './client-abilities.ts'
import type { CallerLine } from './caller-line.ts'

/**
 * Work for a client that may be asked something on the way. It outlives the request it began with:
 * the client answers with another, which takes the work up where it stopped.
 */
export interface Exchange<T> {
  /** The request that is open now; undefined while there is none. */
  line: CallerLine | undefined
  /** Of a tool call, once it exists. */
  readonly callId: string | undefined
  /** Abilities that were needed and not there. */
  readonly missing: ReadonlySet<ClientAbility>
  /** Questions without an answer, by their keys. */
  questions(): Record<string, ClientRequest>
  /** Takes what fits an open question and leaves the rest. */
  answer(responses: Readonly<Record<string, unknown>>): void
  /** Resolves when the work is done, or can't go on without an answer. Rejects as the work does. */
  next(): Promise<{ isDone: true; value: T } | { isDone: false }>
  /** Resolves once it has a call. */
  readonly hasCall: Promise<void>
  /** Ends it: whoever waits for an answer is told that none will come. */
  abort(reason: ToolError): void
  readonly isDone: boolean
  /** Resolves at the end, whatever it is. */
  readonly whenDone: Promise<void>
}

export interface ExchangeOptions<T> {
  abilities: ReadonlySet<ClientAbility>
  line: CallerLine
  /** Answers that came with the first request already, for what will be asked first. */
  given?: Readonly<Record<string, unknown>>
  /** Asks at once, where the client has a line for that; otherwise questions wait to be fetched. */
  send?(request: ClientRequest, signal: AbortSignal): Promise<JsonValue>
  work(to: { client: CallerClient; signal: AbortSignal; onCall(callId: string): void }): Promise<T>
}

interface Question {
  request: ClientRequest
  resolve(answer: JsonValue): void
  reject(error: ToolError): void
}

/** Begins the work. */
export function startExchange<T>(options: ExchangeOptions<T>): Exchange<T> {
  const { abilities, send } = options
  const open = new Map<string, Question>()
  const missing = new Set<ClientAbility>()
  const leaving = new AbortController()
  const called = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let raised = Promise.withResolvers<void>()
  let callId: string | undefined
  let isDone = false
  let { given } = options

  function raise(key: string, request: ClientRequest): Promise<JsonValue> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>()
    open.set(freeKey(open, key), { request, resolve, reject })
    return promise
  }
  async function ask(requests: Readonly<Record<string, ClientRequest>>) {
    for (const request of Object.values(requests)) checkAbility(request)
    if (leaving.signal.aborted) throw leaving.signal.reason as ToolError
    const entries = Object.entries(requests)
    const early = given
    given = undefined
    const answers = entries.map(([key, request]) => {
      if (send !== undefined) return send(request, leaving.signal)
      const known = early?.[key]
      return isAnswer(request, known) ? (known as JsonValue) : raise(key, request)
    })
    if (open.size > 0) raised.resolve()
    const values = await Promise.all(answers)
    return Object.fromEntries(entries.map(([key], index) => [key, values[index] ?? null]))
  }
  function checkAbility(request: ClientRequest): void {
    const lacking = abilitiesFor(request).filter((ability) => !abilities.has(ability))
    for (const ability of lacking) missing.add(ability)
    if (lacking.length > 0) throw unable(`It needs a client that declares ${lacking.join(', ')}`)
  }
  const exchange: Exchange<T> = {
    line: options.line,
    get callId() {
      return callId
    },
    get isDone() {
      return isDone
    },
    missing,
    hasCall: called.promise,
    whenDone: ended.promise,
    questions: () =>
      Object.fromEntries([...open].map(([key, { request }]) => [key, request] as const)),
    answer(responses) {
      for (const [key, question] of open) {
        const answer = Object.hasOwn(responses, key) ? responses[key] : undefined
        if (!isAnswer(question.request, answer)) continue
        open.delete(key)
        question.resolve(answer as JsonValue)
      }
      if (open.size === 0) raised = Promise.withResolvers<void>()
    },
    async next() {
      const asked = raised.promise.then(() => ({ isDone: false }) as const)
      return open.size > 0 ? { isDone: false } : Promise.race([done, asked])
    },
    abort(reason) {
      leaving.abort(reason)
      for (const question of open.values()) question.reject(reason)
      open.clear()
    },
  }
  const client: CallerClient = {
    abilities,
    ask,
    log: (line) => exchange.line?.log(line),
  }
  const onCall = (id: string) => {
    callId = id
    called.resolve()
  }
  const done = options
    .work({ client, signal: leaving.signal, onCall })
    .then((value) => ({ isDone: true, value }) as const)
  const end = () => {
    isDone = true
    ended.resolve()
  }
  done.then(end, end)
  return exchange
}

/** Two questions of one tool may have the same key. */
function freeKey(open: ReadonlyMap<string, unknown>, key: string): string {
  let free = key
  for (let number = 2; open.has(free); number += 1) free = `${key}_${number}`
  return free
}

/** The failure of a question that nobody can answer. */
export function unable(message: string): ToolError {
  return new ToolError('client_unable', message)
}
