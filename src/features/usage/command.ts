import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { usageOperations } from './operations.ts'
import { usageColumns } from './terminal.ts'

/** `toolcrib usage`. */
export const usageCommand: CommandGroup<typeof usageOperations> = {
  name: 'usage',
  one: 'usage',
  summary: 'Show usage: calls, time, output and cost.',
  commands: {
    readUsage: {
      verb: '',
      options: {
        by: { value: 'WHAT', summary: 'one row for each of these (day)', default: 'day' },
        from: { value: 'DAY', summary: 'first day, 2026-03-01 (30 days ago)' },
        to: { value: 'DAY', summary: 'last day (today)' },
      },
      list: usageColumns,
      empty: (_asked, { from, to }) => `No usage from ${from} to ${to}.`,
    },
  },
  notes: [
    'Calls are counted when they have ended, on the day in UTC, with a delay of about a second.',
  ],
  examples: ['toolcrib usage --by tool --from 2026-03-01 --to 2026-03-31'],
}
