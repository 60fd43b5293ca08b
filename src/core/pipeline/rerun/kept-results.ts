import type { StoredCall } from '../../call-log.ts'
import { isSettled } from '../../call-state.ts'
import { stepsFrom } from '../../compositions/planned-steps.ts'
import type { PlannedStep } from '../../kernel/steps/planned-step.ts'

/** The results that a rerun takes from the earlier call. */
export interface KeptResults {
  kept: readonly StoredCall[]
  /** A step that would run again although its effect may have happened. */
  inDoubt: StoredCall | undefined
}

/**
 * The results to keep: those of all steps that do not follow, directly or not, the one to start from.
 * A failed step is kept only if the composition continues after it, together with its earlier tries,
 * so that they count towards its retries.
 */
export function keptResults(
  made: readonly StoredCall[],
  { steps, from }: { steps: readonly PlannedStep[]; from: string },
): KeptResults {
  const again = stepsFrom(steps, from)
  const byId = new Map(steps.map((step) => [step.id, step]))
  const kept: StoredCall[] = []
  let inDoubt: StoredCall | undefined
  for (const tries of byPlace(made).values()) {
    const step = byId.get(stepOf(tries[0]))
    const last = tries.at(-1)
    if (step === undefined || last === undefined || again.has(step.id)) continue
    if (isKept(last, step)) kept.push(...tries)
    else inDoubt ??= tries.find(mayHaveHappened)
  }
  return { kept, inDoubt }
}

/** The calls of each place in the composition, such as `pay` or `notes/3`: all tries, oldest first. */
function byPlace(made: readonly StoredCall[]): ReadonlyMap<string, StoredCall[]> {
  const places = new Map<string, StoredCall[]>()
  for (const call of made) {
    if (call.stepKey === undefined) continue
    const place = placeOf(call.stepKey)
    places.set(place, [...(places.get(place) ?? []), call])
  }
  return places
}

/** The key without the number of the try. */
export function placeOf(stepKey: string): string {
  return stepKey.split('~', 1)[0] ?? stepKey
}

/** The id of the step that a call belongs to. */
function stepOf(call: StoredCall | undefined): string {
  return /^[^/.~]*/.exec(call?.stepKey ?? '')?.[0] ?? ''
}

function isKept({ status, error }: StoredCall, { mayFail }: PlannedStep): boolean {
  if (status === 'completed') return true
  return mayFail && (status === 'failed' || status === 'denied') && error?.code !== 'interrupted'
}

/** Nobody knows, or it was stopped in the middle, or it is at it: it may end after its parent. */
function mayHaveHappened({ status, error, startedAt, isRepeatable }: StoredCall): boolean {
  if (isRepeatable) return false
  if (error?.code === 'outcome_unknown') return true
  const wasStopped = status === 'cancelled' || error?.code === 'timeout'
  return (wasStopped || !isSettled(status)) && startedAt !== undefined
}
