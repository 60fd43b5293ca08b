import type { CodeEnd, CodeProgram } from '../../core/kernel/context/code.ts'

/** Limits of one program. */
export interface CodeLimits {
  /** Of its own computing, without the time it waits for calls. */
  runMs: number
  memoryBytes: number
  /** Of the JSON of an input, an answer or a result. */
  maxJsonChars: number
  /** Of all that it writes with `console.log`. */
  maxLogChars: number
}

/** An answer as the engine gets it. */
export interface WireAnswer {
  id: number
  isError: boolean
  /** The output, or `{ code, message }`. */
  json: string
}

export type CodeOrder =
  | { kind: 'start'; program: CodeProgram; limits: CodeLimits }
  | { kind: 'answer'; answers: readonly WireAnswer[] }
  | { kind: 'close' }

export interface WireTurn {
  kind: 'turn'
  calls: readonly { id: number; tool: string; json: string }[]
  logs: readonly string[]
  end?: CodeEnd
}

export type CodeReport =
  | WireTurn
  /** The program exceeded a limit, or could not be started. */
  | { kind: 'failed'; code: 'timeout' | 'quota_exceeded' | 'tool_failed'; message: string }
