import { round, sum } from './rounding.ts'

/** One step of a process as it is done today. */
export interface ProcessStep {
  name: string
  minutes: number
  timesPerMonth: number
  ruleBasedPercent: number
  exceptionPercent: number
  systems: number
}

export const approaches = ['automate', 'assist', 'keep'] as const
export type Approach = (typeof approaches)[number]

export interface ScopedStep {
  name: string
  hours: number
  /** Between 0 and 1. */
  automatableShare: number
  approach: Approach
  hoursSaved: number
}

/** From these shares on a step is worth automating, or worth giving people help with. */
const automateFrom = 0.7
const assistFrom = 0.35

/** Where a person stays in the loop, about half of what a machine could do is really saved. */
const assistedShare = 0.5

/** Each system beyond the first makes a step harder to automate, down to this floor. */
const lossPerSystem = 0.05
const integrationFloor = 0.6

/** What can be done about one step, by the month. */
export function scopeStep(step: ProcessStep): ScopedStep {
  const hours = (step.minutes * step.timesPerMonth) / 60
  const automatableShare = shareOf(step)
  const approach = approachFor(round(automatableShare, 6))
  return {
    name: step.name,
    hours,
    automatableShare,
    approach,
    hoursSaved: hours * automatableShare * savedPart[approach],
  }
}

/**
 * Where to begin: the neighbouring steps to automate that together save most, since within them no
 * case has to be handed over to a person and back. Without any, the best step to assist; else none.
 */
export function firstSlice(steps: readonly ScopedStep[]): ScopedStep[] {
  const slices = neighboursToAutomate(steps)
  if (slices.length > 0) return best(slices)
  return best(steps.filter(({ approach }) => approach === 'assist').map((step) => [step]))
}

const savedPart: Record<Approach, number> = { automate: 1, assist: assistedShare, keep: 0 }

function shareOf({ ruleBasedPercent, exceptionPercent, systems }: ProcessStep): number {
  const integration = Math.max(integrationFloor, 1 - Math.max(0, systems - 1) * lossPerSystem)
  return (ruleBasedPercent / 100) * (1 - exceptionPercent / 100) * integration
}

/** The share comes rounded, or 0.7 reached by another way of multiplying would miss the line. */
function approachFor(share: number): Approach {
  if (share >= automateFrom) return 'automate'
  return share >= assistFrom ? 'assist' : 'keep'
}

function neighboursToAutomate(steps: readonly ScopedStep[]): ScopedStep[][] {
  const slices: ScopedStep[][] = []
  let current: ScopedStep[] = []
  for (const step of steps) {
    if (step.approach !== 'automate') {
      current = []
      continue
    }
    if (current.length === 0) slices.push(current)
    current.push(step)
  }
  return slices
}

/** The slice with the most hours saved, the first of equal ones; nothing when none saves anything. */
function best(slices: readonly ScopedStep[][]): ScopedStep[] {
  const saved = (slice: readonly ScopedStep[]) => sum(slice.map(({ hoursSaved }) => hoursSaved))
  return slices.reduce<ScopedStep[]>((top, next) => (saved(next) > saved(top) ? next : top), [])
}
