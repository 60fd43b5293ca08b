import type { JsonValue } from '../json.ts'

/** A call that a model should make. */
export interface EvalCall {
  tool: string
  /** A pattern for the input: only the listed keys are compared, `<string>` is any string. */
  input?: JsonValue | undefined
}

/** The expected reaction of a model to a request. */
export interface EvalExpectation {
  /** Calls that it should make, in any order. Each is matched by a call of its own. */
  calls?: readonly EvalCall[] | undefined
  /** Tools that it should not call. */
  not?: readonly string[] | undefined
  /** The most calls that it may make. */
  maxCalls?: number | undefined
  /** A condition (of `core/shapes`) on `answer` and `calls`, or a pattern for the answer. */
  answer?: JsonValue | undefined
}

/** A request to an agent with the expected choice of tools. */
export interface ToolEval {
  /** Default: the request itself. */
  label?: string | undefined
  /** The message of a person. */
  say: string
  /** The agent that gets it. */
  as?: string | undefined
  expect: EvalExpectation
  /** Outputs of tools, by name: they are not called. */
  given?: Readonly<Record<string, JsonValue>> | undefined
}
