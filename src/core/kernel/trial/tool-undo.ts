import type { JsonValue } from '../json.ts'

/** Undoes a call by calling a tool; texts of its input may name `input` and `output` of that call. */
export interface UndoByTool {
  tool: string
  input: { [key: string]: JsonValue }
}

/** The facts about undoing a tool's calls in its contract. */
export interface UndoFacts {
  /** For how long after a call has completed it can be undone. */
  withinMs: number
  /** The tool that undoes its calls; absent if it does so itself. */
  tool?: string
}
