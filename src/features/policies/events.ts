import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { text } from '../../core/operations/payload-fields.ts'
import { jsonValue } from '../../core/operations/fields.ts'

const kinds = [
  'policy',
  'provider',
  'profile',
  'group',
  'pack',
  'label',
  'limit',
  'mcp-server',
  'api',
] as const

export const policyEvents = defineEvents(
  { noun: 'Policy', group: 'policy', stale: ['policies', 'tools', 'tool', 'explain', 'agents'] },
  {
    'policy.changed': {
      meaning: 'A policy, limit or label changed, here or in the configuration',
      data: () =>
        z.object({
          kind: z.enum(kinds).meta({ description: 'What changed' }),
          name: text('Its name'),
          change: z
            .enum(['created', 'changed', 'deleted'])
            .meta({ description: 'What happened to it' }),
          before: jsonValue
            .optional()
            .meta({ description: 'The previous policy document; null if there was none' }),
          after: jsonValue.optional().meta({ description: 'A policy document after' }),
          limit: jsonValue.optional().meta({ description: 'A limit after' }),
          label: jsonValue.optional().meta({ description: 'A label after' }),
        }),
    },
  },
)
