import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, text, texts, tool } from '../../core/operations/payload-fields.ts'

const version = text('The version, by the hash of its content')
const stale = ['tools', 'tool', 'explain', 'authored-tools', 'tool-source']

/** Events of tools that are documents, and of changes to tools of others. */
export const authoringEvents = defineEvents(
  { noun: 'Tool', group: 'tools', stale },
  {
    'tool.published': {
      meaning: 'A version of an authored tool is in force',
      data: () =>
        z.object({
          tool,
          version,
          number: count('The number of the version'),
          before: text('The version in force before').optional(),
          note: text('A note of its author').optional(),
          isRestored: z
            .literal(true)
            .optional()
            .meta({ description: 'An earlier version is back' }),
        }),
    },
    'tool.draft_saved': {
      meaning: 'A draft of a tool was saved',
      stale: ['authored-tools', 'tool-source'],
      data: () => z.object({ tool }),
    },
    'tool.draft_dropped': {
      meaning: 'A draft of a tool was deleted without being published',
      stale: ['authored-tools', 'tool-source'],
      data: () => z.object({ tool }),
    },
    'tool.disabled': {
      meaning: 'A tool was disabled for the tenant',
      data: () =>
        z.object({ tool, usedBy: texts('Tools, agents and schedules that name it').optional() }),
    },
    'tool.enabled': { meaning: 'A disabled tool was enabled', data: () => z.object({ tool }) },
    'tool.overridden': {
      meaning: 'Facts of a tool of others were changed for the tenant',
      data: () =>
        z.object({
          tool,
          facts: texts('The facts that differ now; none: the override was removed'),
        }),
    },
  },
)
