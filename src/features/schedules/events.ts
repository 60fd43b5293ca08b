import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { agent, count, moment, reason, text, tool } from '../../core/operations/payload-fields.ts'

const id = text('The schedule')
const name = text('What it is called')

const facts = () =>
  z.object({
    id,
    name,
    note: text('Its note').optional(),
    tool,
    agent: agent.optional(),
    when: z
      .union([
        z.object({ cron: text('A cron expression'), timezone: text('Its time zone') }),
        z.object({ every: text('An interval'), from: moment('Where its steps start') }),
        z.object({ at: moment('Once, at this time') }),
      ])
      .meta({ description: 'When it runs' }),
    state: text('Whether it runs: `active`, `paused`, `disabled` or `finished`'),
  })

export const scheduleEvents = defineEvents(
  { noun: 'Schedule', group: 'schedules', stale: ['schedules'] },
  {
    'schedule.created': {
      meaning: 'A schedule was created: what it calls and when',
      data: facts,
    },
    'schedule.changed': { meaning: 'A schedule was changed, paused or resumed', data: facts },
    'schedule.deleted': {
      meaning: 'A schedule was deleted with its history',
      data: () => z.object({ id, name }),
    },
    'schedule.fired': {
      meaning: 'A schedule was due, or a person ran it',
      data: () =>
        z.object({
          id,
          name,
          tool,
          runId: text('The run'),
          trigger: z.enum(['time', 'now']).meta({ description: 'It was due, or a person ran it' }),
          dueAt: moment('When it was due'),
          missed: count('The number of earlier times that were missed').optional(),
          skipped: z
            .literal(true)
            .optional()
            .meta({ description: 'Nothing ran, because the previous run had not finished' }),
        }),
    },
    'schedule.disabled': {
      meaning: 'A schedule was disabled, and why',
      data: () => z.object({ id, name, reason }),
    },
  },
)
