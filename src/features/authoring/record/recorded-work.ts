import type { CallRecord } from '../../../core/kernel/call.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/json.ts'
import type { Effect } from '../../../core/kernel/tool.ts'

/** Calls on record that belong together, and what is known about their purpose. */
export interface RecordedWork {
  /** `a run of support`, for the description of the draft. */
  title: string
  recordedAt: string
  /** In the order in which they were requested. */
  calls: readonly CallRecord[]
  /** If one call made them all. */
  whole?: { input: JsonValue; inputSchema: JsonSchema; output?: JsonValue } | undefined
  /** The messages of people. */
  said: string
  /** The answers of the agent. */
  answer: string
}

/** A call on record that becomes a step. */
export interface RecordedStep {
  id: string
  tool: string
  input: { [key: string]: JsonValue }
  output: JsonValue
  /** Its output was stored as it was, so references can name parts of it. */
  isWhole: boolean
  effect: Effect
  inputSchema: JsonSchema | undefined
  outputSchema: JsonSchema | undefined
  startedAt: number
  endedAt: number
  /** How often the same call failed before, for a reason that may pass. */
  retries: number
}

/** A step with references in place of recorded values. */
export interface LinkedStep {
  step: RecordedStep
  input: { [key: string]: JsonValue }
}
