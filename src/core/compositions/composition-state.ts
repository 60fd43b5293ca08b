import type { CallContext } from '../kernel/call.ts'
import type { StepCalls } from '../kernel/context/step-calls.ts'
import type { ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'

/** How a step ended; references read it as `steps.<id>`. */
export interface StepOutcome {
  status: 'completed' | 'failed' | 'skipped'
  /** Null if it was skipped or has failed. */
  output: JsonValue
  /** Why it failed, if the composition continued; of a list, the first failure. */
  error?: { code: string; message: string }
}

/** The state of one run. It holds nothing that a later run could not find in the record. */
export interface CompositionState {
  input: JsonValue
  steps: StepCalls
  context: Pick<CallContext, 'callId' | 'agent' | 'sessionId'>
  /** Outcomes in place of steps, by id: those steps are not made. */
  pins: Readonly<Record<string, StepOutcome>>
  /** Grows as steps end. */
  outcomes: Record<string, StepOutcome>
  /** The first failure that ends the composition: nothing new begins after it. */
  failure: { error: ToolError } | undefined
}

/** The values that references of a composition can name. The same in every run of one call. */
export function rootsOf(
  { input, outcomes, steps, context }: CompositionState,
  more: Readonly<Record<string, JsonValue>> = {},
): Record<string, unknown> {
  const now = new Date(steps.requestedAt).toISOString()
  const { callId: id, agent = null, sessionId = null } = context
  return { input, steps: outcomes, now, call: { id, agent, sessionId }, ...more }
}
