import type { JsonValue } from '../json.ts'

/** A program: the body of an async function, which may use `await` and `return`. */
export interface CodeProgram {
  source: string
  /** The types of `ts` are removed; nothing is checked. Default: `js`. */
  language?: 'js' | 'ts'
  /** The program reads it as `input`. */
  input?: JsonValue
  /** Decides what `Math.random` gives. With the same seed and answers, a program does the same again. */
  seed: string
  /** The time at which the program seems to run. */
  startedAt?: number
}

/** A tool that a program calls. */
export interface CodeCall {
  id: number
  tool: string
  input: JsonValue
}

/** The result of such a call, for the program. */
export type CodeAnswer = { id: number } & (
  | { output: JsonValue }
  | { error: { code: string; message: string } }
)

/** How a program ended. `code` is that of a call whose failure it did not handle. */
export type CodeEnd =
  | { kind: 'returned'; value: JsonValue }
  | { kind: 'threw'; message: string; code?: string }

/** The actions of a program until it can only wait for answers, or has ended. */
export interface CodeTurn {
  calls: readonly CodeCall[]
  /** Lines that it wrote with `console.log` and the like. */
  logs: readonly string[]
  end?: CodeEnd
}

/** A running program. It can do nothing but compute and ask for calls. */
export interface RunningProgram {
  start(): Promise<CodeTurn>
  /** Delivers answers in this order and continues the program. */
  answer(answers: readonly CodeAnswer[]): Promise<CodeTurn>
  /** Ends it, wherever it is. */
  close(): void
}

/**
 * `ctx.code`: runs programs that nobody trusts. They reach nothing: no files, no network, no timers
 * and no clock. Throws `timeout`, `quota_exceeded` for memory, and `rate_limited` while too many
 * programs run.
 */
export interface Code {
  /** Calls that one program may make. */
  readonly maxCalls: number
  open(program: CodeProgram): Promise<RunningProgram>
}
