import type {
  CallerClient,
  ClientAbility,
  ClientRequest,
} from '../../../core/kernel/context/caller-client.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import type { CallerLine } from './caller-line.ts'
import { abilitiesFor, isAnswer } from './client-abilities.ts'
import { createQuestions, type Questions } from './questions.ts'

/**
 * Work for a client that may be asked something on the way. It outlives the request it began with:
 * the client answers with another, which takes the work up where it stopped.
 */
export interface PendingDialog<T> {
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
  /**
   * Resolves when the work is done or cannot continue without an answer. Rejects as the work does.
   */
  next(): Promise<{ isDone: true; value: T } | { isDone: false }>
  /** Resolves once it has a call. */
  readonly hasCall: Promise<void>
  /** Ends it: waiting questions fail, because no answer will come. */
  abort(reason: ToolError): void
  readonly isDone: boolean
  /** Resolves at the end, with any result. */
  readonly whenDone: Promise<void>
}

export interface DialogOptions<T> {
  abilities: ReadonlySet<ClientAbility>
  line: CallerLine
  /** How long a question waits for its answer. */
  askMs: number
  /** Answers that came with the first request already, for what will be asked first. */
  given?: Readonly<Record<string, unknown>>
  /** Asks at once, where the client has a line for that; otherwise questions wait to be fetched. */
  send?(request: ClientRequest, signal: AbortSignal): Promise<JsonValue>
  work(to: { client: CallerClient; signal: AbortSignal; onCall(callId: string): void }): Promise<T>
}

/** Begins the work. */
export function startDialog<T>(options: DialogOptions<T>): PendingDialog<T> {
  const questions = createQuestions(options.askMs)
  const missing = new Set<ClientAbility>()
  const leaving = new AbortController()
  const called = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let callId: string | undefined
  let isDone = false
  const dialog: PendingDialog<T> = {
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
    questions: questions.list,
    answer: questions.answer,
    next: () => Promise.race([done, questions.any().then(() => ({ isDone: false }) as const)]),
    abort(reason) {
      leaving.abort(reason)
      questions.rejectAll(reason)
    },
  }
  const client: CallerClient = {
    abilities: options.abilities,
    ask: toAsk(options, { questions, missing, signal: leaving.signal }),
    log: (line) => dialog.line?.log(line),
  }
  const onCall = (id: string) => {
    callId = id
    called.resolve()
  }
  const work = options.work({ client, signal: leaving.signal, onCall })
  const done = work.then((value) => ({ isDone: true, value }) as const)
  const end = () => {
    isDone = true
    ended.resolve()
  }
  done.then(end, end)
  return dialog
}

interface Asking {
  questions: Questions
  missing: Set<ClientAbility>
  signal: AbortSignal
}

function toAsk<T>(
  { abilities, send, given }: DialogOptions<T>,
  { questions, missing, signal }: Asking,
): CallerClient['ask'] {
  let early = given
  return async function ask(requests) {
    const entries = Object.entries(requests)
    const lacking = entries
      .flatMap(([, request]) => abilitiesFor(request))
      .filter((ability) => !abilities.has(ability))
    for (const ability of lacking) missing.add(ability)
    if (lacking.length > 0) throw unable(`It needs a client that declares ${lacking.join(', ')}`)
    if (signal.aborted) throw signal.reason
    const known = early
    early = undefined
    const answers = entries.map(async ([key, request]) => {
      if (send !== undefined) return send(request, signal)
      const answer = known?.[key]
      return isAnswer(request, answer) ? (answer as JsonValue) : questions.raise(key, request)
    })
    const values = await Promise.all(answers)
    return Object.fromEntries(entries.map(([key], index) => [key, values[index] ?? null]))
  }
}

/** The failure of a question that nobody can answer. */
export function unable(message: string): ToolError {
  return new ToolError('client_unable', message)
}
