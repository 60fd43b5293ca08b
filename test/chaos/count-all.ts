import { countLateEnds } from './count-late-ends.ts'
import type { Evidence } from './evidence.ts'

/** What a reader wants to know of a run: how much was done, and how it ended. */
export function countAll(evidence: Evidence): Record<string, number> {
  const { answers, effects, calls, events, groups, scheduleRuns } = evidence
  const ends = calls.map(({ status, error }) =>
    error === undefined ? status : `${status} ${error.code}`,
  )
  const replies = answers.map(({ http }) => `answer ${http ?? 'none'}`)
  const taken = calls.filter(({ attempt }) => attempt > 1)
  const continued = groups.filter(({ isContinued }) => isContinued)
  const runs = groups.flatMap(({ continuations }) => continuations)
  const counts: Record<string, number> = {
    events: events.length,
    effects: effects.filter(({ what }) => what === 'effect').length,
    'calls begun again': taken.length,
    'late ends refused': countLateEnds(evidence),
    'groups continued': continued.length,
    'groups left open': groups.length - continued.length,
    'continuations cut off and begun again': runs.filter(({ isCutOff }) => isCutOff).length,
    'runs of schedules': scheduleRuns.length,
  }
  for (const name of [...ends, ...replies].toSorted()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
