import type { CommandGroup } from '../../core/operations/command-group.ts'
import { limitMeasures } from '../../core/limits/limit.ts'
import type { limitOperations } from './operations.ts'
import { limitColumns, limitFacts } from './terminal.ts'

/** `toolcrib limits`. */
export const limitCommand: CommandGroup<typeof limitOperations> = {
  name: 'limits',
  one: 'limit',
  summary: 'List, show, set and remove limits, and see who uses most of them.',
  commands: {
    listLimits: {
      verb: 'list',
      without: ['limit'],
      list: limitColumns,
      empty: 'No limits. → toolcrib limits set NAME --of key --calls-per-minute 60',
    },
    findLimit: {
      verb: 'show',
      words: ['name'],
      options: { limit: { summary: 'how many users of it to show (50)' } },
      record: limitFacts,
    },
    writeLimit: {
      verb: 'set',
      words: ['name'],
      needsOneOf: limitMeasures,
      says: ({ name }) => `${name} applies on every server`,
    },
    deleteLimit: { verb: 'remove', words: ['name'] },
  },
  notes: ['0 allows nothing. Setting a limit again replaces all of it.'],
  examples: [
    'toolcrib limits set support-pace --of agent --match support --calls-per-minute 60',
    'toolcrib limits set mail-budget --of tool --match mail.send --cost-per-day 100',
  ],
}
