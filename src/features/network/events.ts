import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { agent, count, text, tool } from '../../core/operations/payload-fields.ts'
import { jsonValue } from '../../core/operations/fields.ts'

export const networkEvents = defineEvents(
  { noun: 'Network', group: 'policy', stale: ['network'], inCall: true },
  {
    'network.denied': {
      meaning: 'A tool or a sandbox was refused a host; repeats within ten seconds are one event',
      data: () =>
        z.object({
          host: text('The host, or `*` where there were too many to list'),
          port: count('The port'),
          rule: text('The pattern that decided, or the reason'),
          level: text(
            'Where the rule is: `global`, `tenant`, `agent:<slug>`, `address`, `default`',
          ),
          setBy: text('Who set the rule'),
          pack: text('The pack of the tool'),
          tool: tool.optional(),
          agent: agent.optional(),
          callId: text('The call').optional(),
          count: count('How often it was refused'),
        }),
    },
    'network.changed': {
      meaning: 'A rule about reachable hosts changed',
      label: 'Network rule changed',
      data: () =>
        z.object({
          id: text('The rule'),
          change: z
            .enum(['created', 'changed', 'deleted'])
            .meta({ description: 'What happened to it' }),
          before: jsonValue.optional().meta({ description: 'The rule before; null: none' }),
          after: jsonValue.optional().meta({ description: 'The rule after' }),
        }),
    },
  },
)
