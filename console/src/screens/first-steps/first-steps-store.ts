import { useSyncExternalStore } from 'react'
import { holds } from '../../api/me.ts'
import { kept } from '../../api/storage.ts'

/** What somebody new tries, in this order. */
export const stepNames = ['run', 'record', 'approve', 'edit'] as const

export type StepName = (typeof stepNames)[number]

/** What each takes; a file of a tool is changed by whoever runs the server. */
const needs: Record<StepName, readonly string[]> = {
  run: ['tools.call'],
  record: [],
  approve: ['tools.call', 'agents.chat', 'approvals.decide'],
  edit: ['*'],
}

/** The steps that somebody with these permissions can do. */
export function stepsFor(permissions: readonly string[]): readonly StepName[] {
  return stepNames.filter((name) => needs[name].every((needed) => holds(permissions, needed)))
}

export interface FirstSteps {
  /** `new`: nobody has been here yet; `over`: dismissed, or never wanted. */
  state: 'new' | 'open' | 'over'
  done: readonly StepName[]
}

const place = 'first-steps'
const listeners = new Set<() => void>()
let steps = parseSteps(kept.read(place))

/** How far somebody is with the first steps, on this device. */
export const firstSteps = {
  read: () => steps,
  /** A first visit: on a fresh crib the steps are offered, elsewhere they never are. */
  begin(isFresh: boolean) {
    if (steps.state === 'new') write({ state: isFresh ? 'open' : 'over', done: [] })
  },
  mark(step: StepName) {
    if (steps.state !== 'open' || steps.done.includes(step)) return
    write({
      ...steps,
      done: stepNames.filter((name) => name === step || steps.done.includes(name)),
    })
  },
  dismiss: () => write({ ...steps, state: 'over' }),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

export function useFirstSteps(): FirstSteps {
  return useSyncExternalStore(firstSteps.subscribe, firstSteps.read)
}

function write(next: FirstSteps): void {
  steps = next
  kept.write(place, JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** What stands in the storage of a browser may be anything. */
export function parseSteps(text: string | null): FirstSteps {
  const fresh: FirstSteps = { state: 'new', done: [] }
  if (text === null) return fresh
  try {
    const { state, done } = JSON.parse(text) as Partial<FirstSteps>
    if (state !== 'open' && state !== 'over') return fresh
    return { state, done: stepNames.filter((name) => Array.isArray(done) && done.includes(name)) }
  } catch {
    return fresh
  }
}
