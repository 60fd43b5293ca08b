import type { CommandGroup } from '../../core/operations/command-group.ts'
import { scheduleOperations } from './operations.ts'

/** `toolcrib schedules`. */
export const scheduleCommand: CommandGroup = {
  name: 'schedules',
  one: 'schedule',
  summary: 'List, add, change, pause, resume, run and delete schedules.',
  operations: scheduleOperations,
  notes: ['Schedules fire while a server is running. A missed run is caught up once.'],
  examples: [
    "toolcrib schedules add digest --tool mail.digest --cron '0 9 * * 1-5' --timezone Europe/Berlin",
    `toolcrib schedules add reminder --tool hello.greet --at +20m --input '{"name":"Ada"}'`,
  ],
}
