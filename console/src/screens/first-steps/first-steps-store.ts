import { useSyncExternalStore } from 'react'
import { holds } from '../../api/me.ts'
import { kept } from '../../api/storage.ts'

/** The first steps, in order. */
export const stepNames = ['run', 'record', 'approve', 'edit'] as const

export type StepName = (typeof stepNames)[number]

/** The permission each step needs; a tool file is changed by the person who runs the server. */
const needs: Record<StepName, readonly string[]> = {
  run: ['tools.call'],
  record: [],
  approve: ['tools.call', 'agents.chat', 'approvals.decide'],
  edit: ['*'],
}

/** The steps available with these permissions. */
export function stepsFor(permissions: readonly string[]): readonly StepName[] {
  return stepNames.filter((name) => needs[name].every((needed) => holds(permissions, needed)))
}

export interface FirstSteps {
  /** `new`: first visit; `over`: dismissed, or never shown. */
  state: 'new' | 'open' | 'over'
  done: readonly StepName[]
}

const place = 'first-steps'
const listeners = new Set<() => void>()
let steps = parseSteps(kept.read(place))

/** The progress of the first steps on this device. */
export const firstSteps = {
  read: () => steps,
  /** Called on the first visit: the steps are shown only on a new installation. */
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

/** The browser's storage may contain anything. */
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
