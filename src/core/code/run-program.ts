import type { CallResult } from '../kernel/call.ts'
import type {
  CodeAnswer,
  CodeCall,
  CodeEnd,
  RunningProgram,
  CodeTurn,
} from '../kernel/context/code.ts'
import type { StepCalls } from '../kernel/context/step-calls.ts'
import { type ErrorCode, isErrorCode, ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { createStepKeys } from './step-keys.ts'

/** The calls of a program, made and recorded by the pipeline. */
export type ProgramCalls = Pick<StepCalls, 'earlier' | 'call' | 'busy'>

export interface ProgramOptions {
  calls: ProgramCalls
  maxCalls: number
  onLog(line: string): void
}

const atOnce = 64

/**
 * Runs a program to its end. The calls of earlier runs are replayed first, in the order in which they
 * settled, and new ones are held back until then, so a program that differs has no effect. Throws
 * the program's error, and `replay_diverged`.
 */
export async function runProgram(
  session: RunningProgram,
  options: ProgramOptions,
): Promise<JsonValue> {
  const desk = new CallDesk(options)
  let turn = await go(options, () => session.start())
  for (;;) {
    for (const line of turn.logs) options.onLog(line)
    if (turn.end !== undefined) return desk.finish(turn.end)
    for (const call of turn.calls) desk.take(call)
    const answers = await desk.nextAnswers()
    turn = await go(options, () => session.answer(answers))
  }
}

/** The program computes in another thread and may make further calls. */
async function go({ calls }: ProgramOptions, work: () => Promise<CodeTurn>): Promise<CodeTurn> {
  const leave = calls.busy()
  try {
    return await work()
  } finally {
    leave()
  }
}

interface KeyedCall extends CodeCall {
  key: string
}

/** The calls of one run: recorded ones, those under way, and those that wait for their turn. */
class CallDesk {
  readonly #options: ProgramOptions
  readonly #keyOf = createStepKeys()
  /** Settled calls of earlier runs that the program has not made again yet. */
  readonly #unseen: Map<string, number>
  readonly #known: (KeyedCall & { settledAt: number })[] = []
  #fresh: KeyedCall[] = []
  #ready: (CodeAnswer | { failure: unknown })[] = []
  #underWay = 0
  #count = 0
  #onReady: () => void = () => undefined

  constructor(options: ProgramOptions) {
    this.#options = options
    const settled = [...options.calls.earlier].flatMap(([key, { settledAt }]) =>
      settledAt === undefined ? [] : [[key, settledAt] as const],
    )
    this.#unseen = new Map(settled)
  }

  take({ id, tool, input }: CodeCall): void {
    this.#count += 1
    if (this.#count > this.#options.maxCalls) throw tooMany(this.#options.maxCalls)
    const call = { id, tool, input, key: this.#keyOf(tool, input) }
    const settledAt = this.#unseen.get(call.key)
    if (settledAt === undefined) this.#fresh.push(call)
    else this.#known.push({ ...call, settledAt })
    this.#unseen.delete(call.key)
  }

  async nextAnswers(): Promise<CodeAnswer[]> {
    const known = this.#takeEarliest()
    if (known !== undefined) return [toAnswer(known, await this.#options.calls.call(known))]
    if (this.#unseen.size > 0) throw this.#diverged()
    this.#startFresh()
    if (this.#ready.length === 0) await this.#untilReady()
    return this.#ready.splice(0).map((one) => {
      if ('failure' in one) throw one.failure
      return one
    })
  }

  finish(end: CodeEnd): JsonValue {
    if (this.#unseen.size > 0) throw this.#diverged()
    if (end.kind === 'returned') return end.value
    throw new ToolError(toCode(end.code), end.message, { retryable: false })
  }

  /** Of what is on record, the call that settled first: a race has the same winner again. */
  #takeEarliest(): KeyedCall | undefined {
    const times = this.#known.map(({ settledAt }) => settledAt)
    const at = times.indexOf(Math.min(...times))
    return at < 0 ? undefined : this.#known.splice(at, 1)[0]
  }

  #startFresh(): void {
    while (this.#underWay < atOnce) {
      const call = this.#fresh.shift()
      if (call === undefined) return
      this.#underWay += 1
      void this.#make(call)
    }
  }

  async #make(call: KeyedCall): Promise<void> {
    try {
      this.#ready.push(toAnswer(call, await this.#options.calls.call(call)))
    } catch (failure) {
      this.#ready.push({ failure })
    }
    this.#underWay -= 1
    this.#startFresh()
    this.#onReady()
  }

  /** Pending for ever if all calls under way have to wait: the pipeline then ends the run. */
  #untilReady(): Promise<void> {
    if (this.#underWay === 0) throw stuck()
    return new Promise((resolve) => {
      this.#onReady = resolve
    })
  }

  #diverged(): ToolError {
    const [key = ''] = this.#unseen.keys()
    const instead = this.#fresh[0]?.tool
    const other = instead === undefined ? '' : `, but ${instead}`
    const message = `When it was continued, the program did not call ${toolOf(key)} as before${other}`
    return new ToolError('replay_diverged', message, {
      fix: 'Start the call again. A program may only depend on its input and on what its calls return.',
    })
  }
}

function toolOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('#')))
}

function toAnswer({ id, tool }: CodeCall, { status, output, error }: CallResult): CodeAnswer {
  if (status === 'completed') return { id, output: output ?? null }
  const { code = 'tool_failed', message = `${tool} is ${status}` } = error ?? {}
  return { id, error: { code, message: `${tool}: ${message}` } }
}

/** A program may set any code on what it throws. */
function toCode(code: string | undefined): ErrorCode {
  return isErrorCode(code) ? code : 'tool_failed'
}

function tooMany(maxCalls: number): ToolError {
  return new ToolError('quota_exceeded', `The program makes more than ${maxCalls} calls`, {
    fix: 'Do more in each call, or split the work into several programs.',
  })
}

function stuck(): ToolError {
  return new ToolError('tool_failed', 'The program waits for something that never happens', {
    fix: 'Await the calls of tools only: a program has no timers and no events.',
  })
}
