import { ToolError } from '../../core/kernel/errors.ts'
import { nextRun } from './timing/next-run.ts'
import type { StoredSchedule } from './model.ts'
import type { Timing } from './timing/timing.ts'

/** A change that was read and checked. */
export interface CheckedChange extends Partial<
  Pick<
    StoredSchedule,
    'name' | 'overlap' | 'retries' | 'tool' | 'input' | 'sealedInput' | 'authority'
  >
> {
  timing?: Timing
  /** Null removes it. */
  note?: string | null
  paused?: boolean
}

/** The schedule after a change. Resuming it resets its count of failures. */
export function changeSchedule(
  seen: StoredSchedule,
  { paused, note, ...change }: CheckedChange,
  nowMs: number,
): StoredSchedule {
  const state = stateAfter(seen, { paused, timing: change.timing })
  const isTakenUp = paused === false && seen.state !== 'active'
  const changed: StoredSchedule = { ...seen, ...change, state, updatedMs: nowMs }
  if (note === null) delete changed.note
  else if (note !== undefined) changed.note = note
  if (isTakenUp) changed.failures = 0
  if (state !== 'disabled') delete changed.reason
  const isSameTime = change.timing === undefined && seen.state === 'active'
  const nextMs = isSameTime ? seen.nextMs : timeAfter(changed, nowMs)
  delete changed.nextMs
  return state === 'active' ? { ...changed, nextMs } : changed
}

function stateAfter(seen: StoredSchedule, { paused, timing }: CheckedChange) {
  if (paused === false) return 'active'
  if (paused === true && seen.state !== 'finished') return 'paused'
  return seen.state === 'finished' && timing !== undefined ? 'active' : seen.state
}

/** Also after the last run, because the clock of the node that ran it may be ahead of this one's. */
function timeAfter({ timing, state, lastDueMs = 0 }: StoredSchedule, nowMs: number) {
  const nextMs = nextRun(timing, Math.max(nowMs, lastDueMs))
  if (nextMs !== undefined || state !== 'active') return nextMs
  throw new ToolError('invalid_request', 'The schedule has no times left', {
    issues: [{ path: '/when', message: 'has passed' }],
    fix: 'Give it a new time, or run it now.',
  })
}
