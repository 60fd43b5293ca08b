import type { ErrorCode } from '../errors.ts'
import type { JsonValue } from '../json.ts'

/** The expected result of a test's call. */
export interface TestExpectation {
  /** Default: `completed`, or `failed` with an error. */
  status?: 'completed' | 'failed' | 'denied' | undefined
  /** A pattern for the output: only the listed keys are compared, `<string>` is any string. */
  output?: JsonValue | undefined
  error?: ErrorCode | undefined
  /** Conditions (of `core/shapes`) on `input`, `output` and `call`. */
  where?: readonly object[] | undefined
}

/** A call of a tool with its expected result. */
export interface ToolTest {
  label: string
  input: JsonValue
  expect: TestExpectation
  /** Outputs of other tools that it calls, by name: they are not called. */
  given?: Readonly<Record<string, JsonValue>> | undefined
}
