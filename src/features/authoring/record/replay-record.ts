import type { CompositionSpec } from '../../../core/compositions/spec.ts'
import { toCompositionBehaviour } from '../../../core/compositions/to-composition-behaviour.ts'
import type { CallContext } from '../../../core/kernel/call.ts'
import type { StepCall, StepCalls } from '../../../core/kernel/context/step-calls.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { isDeepEqual } from '../../../core/kernel/json/deep-equal.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'

/** The recorded input and output of a step; of a list, those of each item. */
export interface RecordedOutcome {
  input: JsonValue
  output: JsonValue
}

/** A step that would be given something else than on record. */
export interface ReplayDifference {
  /** `find`, `notes/3`. */
  key: string
  input: JsonValue
}

/** The result of a replay. */
export interface Replay {
  output: JsonValue
  differences: ReplayDifference[]
  /** How many steps were compared, of lists each item. */
  compared: number
  /** Why it did not reach its end. */
  problem?: string
}

/**
 * Runs a composition with the recorded outputs in place of calls, and compares what each step would be
 * given with the record. Nothing is called.
 */
export async function replayRecord(
  spec: CompositionSpec,
  input: JsonValue,
  outcomes: ReadonlyMap<string, RecordedOutcome>,
): Promise<Replay> {
  const differences: ReplayDifference[] = []
  let compared = 0
  const steps: StepCalls = {
    requestedAt: 0,
    now: () => 0,
    earlier: new Map(),
    mayWait: false,
    async call({ key, input: given }: StepCall) {
      const recorded = outcomes.get(key)
      if (recorded === undefined) throw new ToolError('tool_failed', `${key} is not on record`)
      compared += 1
      if (!isDeepEqual(given, recorded.input)) differences.push({ key, input: given })
      return { status: 'completed', output: recorded.output }
    },
    start: async () => ({ status: 'completed' }),
    busy: () => () => undefined,
    idle: async () => undefined,
  }
  try {
    // A composition reads three facts of its context, and of these a record has none.
    const context = { callId: 'replay', agent: undefined, sessionId: undefined }
    const run = toCompositionBehaviour(spec).execute(input, context as CallContext, steps)
    return { output: (await run) as JsonValue, differences, compared }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { output: null, differences, compared, problem: error.message }
  }
}
