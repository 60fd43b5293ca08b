import type { Evidence, LoggedEvent, Violation } from '../evidence.ts'

/** A time of a schedule comes once, on whichever node, and every run is told of once. */
export function checkSchedules({ scheduleRuns, events }: Evidence): Violation[] {
  const timed = scheduleRuns.filter(({ isManual }) => !isManual)
  const dueTwice = [...Map.groupBy(timed, ({ scheduleId, dueMs }) => `${scheduleId} ${dueMs}`)]
    .filter(([, runs]) => runs.length > 1)
    .map(([time, context]) => ({
      rule: 'fired twice',
      subject: time,
      message: `One time of a schedule has ${context.length} runs`,
      context,
    }))
  const fired = events.filter(({ type }) => type === 'schedule.fired')
  const told = Map.groupBy(fired, runOf)
  const runs = new Map(scheduleRuns.map((run) => [run.runId, run]))
  const untold = [...new Set([...runs.keys(), ...told.keys()])]
    .filter((runId) => told.get(runId)?.length !== 1 || !runs.has(runId))
    .map((runId) => ({
      rule: 'missing event',
      subject: runId,
      message: `The log tells of the run ${told.get(runId)?.length ?? 0} times`,
      context: { run: runs.get(runId), told: told.get(runId) },
    }))
  return [...dueTwice, ...untold]
}

function runOf({ data }: LoggedEvent): string {
  return (data as { runId: string }).runId
}
