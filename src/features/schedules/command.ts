import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { TerminalWords } from '../../core/operations/command-spec.ts'
import type { scheduleOperations } from './operations.ts'
import type { Schedule } from './schemas.ts'
import { runColumns, scheduleColumns, scheduleFacts, whenItRuns } from './terminal.ts'

const note = { value: 'TEXT', summary: 'a note for people; - removes it', nullAs: '-' }

/** `toolcrib schedules`. */
export const scheduleCommand: CommandGroup<typeof scheduleOperations> = {
  name: 'schedules',
  one: 'schedule',
  summary: 'List, add, change, pause, resume, run and delete schedules.',
  commands: {
    listSchedules: {
      verb: 'list',
      list: scheduleColumns,
      empty: 'No schedules. → toolcrib schedules add NAME --tool TOOL --every 1h',
    },
    createSchedule: {
      verb: 'add',
      words: ['name'],
      says: (made, words) => `${made.id} runs ${whenItRuns(made, words)}`,
      whenLocal: 'No server is running here. Schedules fire while one is: toolcrib start',
    },
    findSchedule: { verb: 'show', words: ['id'], record: scheduleFacts },
    updateSchedule: [
      { verb: 'change', words: ['id'], without: ['paused'], options: { note }, says: nextWords },
      {
        verb: 'pause',
        words: ['id'],
        sets: { paused: true },
        says: ({ name }) => `${name} is paused`,
      },
      { verb: 'resume', words: ['id'], sets: { paused: false }, says: nextWords },
    ],
    deleteSchedule: { verb: 'delete', words: ['id'] },
    runSchedule: {
      verb: 'run',
      words: ['id'],
      says: ({ error }) => error?.message ?? 'The run has started',
      outcome: ({ error }) => error && 'failed',
      next: ({ callId }) => callId && `toolcrib call --watch ${callId} follows it`,
    },
    listScheduleRuns: {
      verb: 'runs',
      words: ['id'],
      list: runColumns,
      empty: 'It has not run yet.',
    },
  },
  notes: ['Schedules fire while a server is running. A missed run is caught up once.'],
  examples: [
    "toolcrib schedules add digest --tool mail.digest --cron '0 9 * * 1-5' --timezone Europe/Berlin",
    `toolcrib schedules add reminder --tool hello.greet --at +20m --input '{"name":"Ada"}'`,
  ],
}

function nextWords(made: Schedule, words: TerminalWords): string {
  return `${made.name} runs ${whenItRuns(made, words)}`
}
