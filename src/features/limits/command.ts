import type { CommandGroup } from '../../core/operations/command-group.ts'
import { limitOperations } from './operations.ts'

/** `toolcrib limits`. */
export const limitCommand: CommandGroup = {
  name: 'limits',
  one: 'limit',
  summary: 'List, show, set and remove limits, and see who uses most of them.',
  operations: limitOperations,
  notes: ['0 allows nothing. Setting a limit again replaces all of it.'],
  examples: [
    'toolcrib limits set support-pace --of agent --match support --calls-per-minute 60',
    'toolcrib limits set mail-budget --of tool --match mail.send --cost-per-day 100',
  ],
}
