import type { Principal } from '../../../core/call.ts'
import type { Schedule, ScheduleRun } from '../../../core/schedules/schedule.ts'
import type { When } from '../../../core/schedules/timing.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { toLocalTime, toTimeWords } from '../output/time-words.ts'

/** Schedules as a table. */
export function showSchedules(screen: Screen, schedules: readonly Schedule[]): void {
  showTable(screen, {
    columns: [
      { title: 'id', style: (cell) => screen.style('cyan', cell) },
      { title: 'name', shrinkTo: 10 },
      { title: 'tool', shrinkTo: 10 },
      { title: 'when', shrinkTo: 10 },
      { title: 'next run', style: (cell, row) => markState(screen, cell, schedules[row]) },
    ],
    rows: schedules.map((schedule) => [
      toSafeLine(schedule.id),
      toSafeLine(schedule.name),
      toSafeLine(schedule.tool),
      toSafeLine(toWhenText(schedule.when)),
      toNextText(schedule),
    ]),
  })
}

/** One schedule with all that is known of it. */
export function showSchedule(screen: Screen, schedule: Schedule): void {
  const facts: [string, string | undefined][] = [
    ['id', schedule.id],
    ['tool', schedule.tool],
    ['input', JSON.stringify(schedule.input)],
    ['agent', schedule.agent],
    ['when', toWhenText(schedule.when)],
    ['next run', toNextText(schedule)],
    ['last run', schedule.lastRunAt && toLocalTime(schedule.lastRunAt)],
    ['reason', schedule.reason],
    ['failures in a row', schedule.failures === 0 ? undefined : String(schedule.failures)],
    ['retries', String(schedule.retries)],
    ['overlap', schedule.overlap],
    ['made by', toWho(schedule.createdBy)],
    ['runs for', toWho(schedule.runsFor)],
  ]
  screen.out(screen.style('bold', toSafeLine(schedule.name)))
  for (const [label, value] of facts) {
    if (value) screen.out(`${screen.style('dim', label.padEnd(17))}  ${toSafeLine(value)}`)
  }
}

/** The history of a schedule as a table. */
export function showRuns(screen: Screen, runs: readonly ScheduleRun[]): void {
  showTable(screen, {
    columns: [
      { title: 'due' },
      { title: 'status', style: (cell, row) => markRun(screen, cell, runs[row]) },
      { title: 'tries', align: 'right' },
      { title: 'call' },
      { title: 'remark', shrinkTo: 10 },
    ],
    rows: runs.map((run) => [
      toLocalTime(run.dueAt),
      run.status,
      String(run.tries),
      toSafeLine(run.callId ?? ''),
      toSafeLine(toRemark(run)),
    ]),
  })
}

/** `every 15m`, `0 9 * * 1-5 (Europe/Berlin)`, `at 2026-12-01 09:00`. */
function toWhenText(when: When): string {
  if ('cron' in when) return `${when.cron} (${when.timezone})`
  return 'every' in when ? `every ${when.every}` : `at ${toLocalTime(when.at)}`
}

/** When it runs next, or why it does not. */
export function toNextText({ nextRunAt, state }: Schedule): string {
  return nextRunAt === undefined ? state : toTimeWords(nextRunAt, Date.now())
}

function toWho({ kind, id }: Principal): string {
  return `${kind} ${id}`
}

function toRemark(run: ScheduleRun): string {
  const remarks = [
    run.trigger === 'now' ? 'asked for' : '',
    run.missed === undefined ? '' : `stands for ${run.missed} missed before it`,
    run.status === 'skipped' ? 'the last run was not finished' : '',
    run.error === undefined ? '' : `${run.error.code}: ${run.error.message}`,
    run.nextTryAt === undefined ? '' : `tried again ${toTimeWords(run.nextTryAt, Date.now())}`,
  ]
  return remarks.filter((remark) => remark !== '').join('; ')
}

function markState(screen: Screen, cell: string, schedule: Schedule | undefined): string {
  if (schedule?.state === 'disabled') return screen.style('red', cell)
  return schedule?.state === 'active' ? cell : screen.style('dim', cell)
}

function markRun(screen: Screen, cell: string, run: ScheduleRun | undefined): string {
  if (run?.status === 'completed') return screen.style('green', cell)
  return run?.status === 'failed' ? screen.style('red', cell) : screen.style('dim', cell)
}
