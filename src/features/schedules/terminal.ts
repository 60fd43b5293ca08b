import type {
  TerminalField,
  TerminalRecord,
  TerminalWords,
} from '../../core/operations/command-spec.ts'
import type { Schedule, ScheduleRun } from './schemas.ts'
import type { When } from './timing/timing.ts'

/** A list of schedules. */
export const scheduleColumns: readonly TerminalField<Schedule>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'name', text: ({ name }) => name, shrinkTo: 10 },
  { title: 'tool', text: ({ tool }) => tool, shrinkTo: 10 },
  { title: 'when', text: ({ when }, words) => toWhenText(when, words), shrinkTo: 10 },
  {
    title: 'next run',
    text: whenItRuns,
    tone: ({ state }) => (state === 'disabled' ? 'bad' : state === 'active' ? undefined : 'quiet'),
  },
  { title: 'note', text: ({ note }) => note, tone: () => 'quiet', shrinkTo: 10 },
]

/** One schedule with everything known about it. */
export const scheduleFacts: TerminalRecord<Schedule> = {
  title: ({ name }) => name,
  fields: [
    { title: 'id', text: ({ id }) => id },
    { title: 'note', text: ({ note }) => note },
    { title: 'tool', text: ({ tool }) => tool },
    { title: 'input', text: ({ input }) => JSON.stringify(input) },
    { title: 'agent', text: ({ agent }) => agent },
    { title: 'when', text: ({ when }, words) => toWhenText(when, words) },
    { title: 'next run', text: whenItRuns },
    { title: 'last run', text: ({ lastRunAt }, { moment }) => lastRunAt && moment(lastRunAt) },
    { title: 'reason', text: ({ reason }) => reason },
    { title: 'failures in a row', text: ({ failures }) => (failures ? String(failures) : '') },
    { title: 'retries', text: ({ retries }) => String(retries) },
    { title: 'overlap', text: ({ overlap }) => overlap },
    { title: 'created by', text: ({ createdBy }) => `${createdBy.kind} ${createdBy.id}` },
    { title: 'runs for', text: ({ runsFor }) => `${runsFor.kind} ${runsFor.id}` },
  ],
}

const runTones = { completed: 'good', failed: 'bad', running: 'quiet', skipped: 'quiet' } as const

/** The history of a schedule. */
export const runColumns: readonly TerminalField<ScheduleRun>[] = [
  { title: 'due', text: ({ dueAt }, { moment }) => moment(dueAt) },
  { title: 'status', text: ({ status }) => status, tone: ({ status }) => runTones[status] },
  { title: 'tries', text: ({ tries }) => String(tries), align: 'right' },
  { title: 'call', text: ({ callId }) => callId },
  { title: 'remark', text: toRemark, shrinkTo: 10 },
]

/** When a schedule runs next, or its state if it does not. */
export function whenItRuns({ nextRunAt, state }: Schedule, { soon }: TerminalWords): string {
  return nextRunAt === undefined ? state : soon(nextRunAt)
}

/** `every 15m`, `0 9 * * 1-5 (Europe/Berlin)`, `at 2026-12-01 09:00`. */
function toWhenText(when: When, { moment }: TerminalWords): string {
  if ('cron' in when) return `${when.cron} (${when.timezone})`
  return 'every' in when ? `every ${when.every}` : `at ${moment(when.at)}`
}

function toRemark(run: ScheduleRun, { soon }: TerminalWords): string {
  const remarks = [
    run.trigger === 'now' && 'on request',
    run.missed !== undefined && `catches up ${run.missed} missed before it`,
    run.status === 'skipped' && 'the previous run had not finished',
    run.error !== undefined && `${run.error.code}: ${run.error.message}`,
    run.nextTryAt !== undefined && `tries again ${soon(run.nextTryAt)}`,
  ]
  return remarks.filter((remark) => remark !== false).join('; ')
}
