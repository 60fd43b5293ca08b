import type { StepTally } from '../../core/call-log.ts'
import { isSettled } from '../../core/call-state.ts'
import { stepsFrom } from '../../core/compositions/planned-steps.ts'
import type { CallStatus } from '../../core/kernel/call.ts'
import type { PlannedStep } from '../../core/kernel/steps/planned-step.ts'
import type { CallStep } from './schemas.ts'

/** Calls of a step: of the composition itself, or taken from the call that it runs again. */
export interface TalliedCalls extends StepTally {
  isKept: boolean
}

/** Everything that is known of a composition's steps. */
export interface StepsOfCall {
  status: CallStatus
  steps: readonly PlannedStep[]
  tallies: readonly TalliedCalls[]
}

/** The steps of a composition with the state that each of them is in. */
export function toCallSteps({ status, steps, tallies }: StepsOfCall): CallStep[] {
  const byStep = Map.groupBy(tallies, ({ step }) => step)
  /** Steps that no other step waits for any more. */
  const ended = new Set<string>()
  return steps.map(({ id, tool, waitsFor, isList, isConditional }) => {
    const own = byStep.get(id) ?? []
    const settled = own.filter(isEnd)
    const total = own.find(({ itemCount }) => itemCount !== undefined)?.itemCount
    const done = sum(settled)
    const left = total === undefined ? 0 : total - done
    const state =
      own.length > 0
        ? toState(own, { left, isOver: isSettled(status) })
        : toStateWithout(id, { status, steps, byStep, ended })
    if (['completed', 'failed', 'skipped'].includes(state)) ended.add(id)
    const shown = own.toSorted((one, other) => urgency(one) - urgency(other))[0]
    return {
      id,
      ...(own[0] ? { tool: own[0].tool } : { tool }),
      waitsFor: [...waitsFor],
      isList,
      isConditional,
      state,
      done,
      failed: sum(settled.filter((one) => one.status !== 'completed')),
      ...(total !== undefined && { total }),
      ...(shown && { callId: shown.callId }),
      ...toTimes(own, { isOpen: own.length > settled.length || left > 0 }),
      isKept: own.length > 0 && own.every(({ isKept }) => isKept),
    }
  })
}

/** Where the composition is not known any more: the steps that it made, as they began. */
export function stepsOfTallies(tallies: readonly StepTally[]): PlannedStep[] {
  const sorted = tallies.toSorted((one, other) => one.firstMs - other.firstMs)
  const first = new Map(sorted.toReversed().map((tally) => [tally.step, tally]))
  return [...first.values()]
    .toSorted((one, other) => one.firstMs - other.firstMs)
    .map(({ step: id, tool, itemCount }) => ({
      id,
      tool,
      waitsFor: [],
      isList: itemCount !== undefined,
      isConditional: false,
      mayFail: false,
    }))
}

/** Whether a step would run again from `from`: it follows, or has no result to keep. */
export function wouldRunAgain(
  { id, state, failed, done, total = done }: CallStep,
  { steps, again }: { steps: readonly PlannedStep[]; again: ReadonlySet<string> },
): boolean {
  if (again.has(id)) return true
  if (state === 'completed' || state === 'skipped') return done < total
  const mayFail = steps.some((step) => step.id === id && step.mayFail)
  return !(mayFail && state === 'failed' && failed > 0 && done >= total)
}

function isEnd({ status }: StepTally): boolean {
  return isSettled(status)
}

function sum(tallies: readonly StepTally[]): number {
  return tallies.reduce((all, { count }) => all + count, 0)
}

/** The question of a step to a person is a call that is completed from outside, like any other work there. */
function isAsking({ status, waitingFor, tool }: StepTally): boolean {
  if (status !== 'waiting') return false
  return waitingFor === 'approval' || (waitingFor === 'external' && tool === 'flow.ask')
}

function toState(
  own: readonly StepTally[],
  { left, isOver }: { left: number; isOver: boolean },
): CallStep['state'] {
  const has = (...wanted: CallStatus[]) => own.some(({ status }) => wanted.includes(status))
  if (own.some(isAsking)) return 'asking'
  if (has('running')) return 'running'
  if (has('waiting', 'queued')) return 'waiting'
  if (left > 0 && !isOver) return 'running'
  if (has('failed', 'denied')) return 'failed'
  return has('cancelled') || left > 0 ? 'cancelled' : 'completed'
}

/** A step that made no call: it was passed over, or its turn has not come. */
function toStateWithout(
  id: string,
  {
    status,
    steps,
    byStep,
    ended,
  }: Pick<StepsOfCall, 'status' | 'steps'> & {
    byStep: ReadonlyMap<string, unknown>
    ended: ReadonlySet<string>
  },
): CallStep['state'] {
  const hasFollowers = [...stepsFrom(steps, id)].some((after) => byStep.has(after))
  if (status === 'completed' || hasFollowers) return 'skipped'
  const { waitsFor = [] } = steps.find((step) => step.id === id) ?? {}
  // The composition waits only when nothing can continue, so this step had its turn.
  if (status === 'waiting' && waitsFor.every((before) => ended.has(before))) return 'skipped'
  return isSettled(status) ? 'unreached' : 'pending'
}

/** The call of a step to look at first. */
function urgency(tally: StepTally): number {
  if (isAsking(tally)) return 0
  const order: readonly CallStatus[] = ['failed', 'denied', 'running', 'waiting', 'queued']
  const place = order.indexOf(tally.status)
  return place < 0 ? order.length + 1 : place + 1
}

function toTimes(
  own: readonly StepTally[],
  { isOpen }: { isOpen: boolean },
): Pick<CallStep, 'requestedAt' | 'settledAt'> {
  if (own.length === 0) return {}
  const requestedAt = new Date(Math.min(...own.map(({ firstMs }) => firstMs))).toISOString()
  const lastMs = Math.max(...own.map(({ lastMs = 0 }) => lastMs))
  if (isOpen || lastMs === 0) return { requestedAt }
  return { requestedAt, settledAt: new Date(lastMs).toISOString() }
}
