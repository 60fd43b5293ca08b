import { z } from '@hono/zod-openapi'
import { mostRetries } from '../../../core/schedules/retry-rule.ts'
import { overlaps, runStatuses, scheduleStates } from '../../../core/schedules/schedule.ts'
import type {
  Schedule,
  ScheduleChange,
  ScheduleRequest,
  ScheduleRun,
} from '../../../core/schedules/schedule.ts'
import type { When, WhenRequest } from '../../../core/schedules/timing.ts'
import { shortText } from '../request/query-fields.ts'
import { callError, jsonValue, principal, time } from './schemas.ts'

const whenRequest: z.ZodType<WhenRequest> = z
  .strictObject({
    cron: shortText('Minute, hour, day, month, weekday; seconds may stand before them')
      .optional()
      .openapi({ example: '0 9 * * 1-5' }),
    every: shortText('A time from 1s to 366d, such as 15m or 1h30m').optional(),
    from: shortText('For `every`: the moment the steps are counted from').optional(),
    at: shortText('Once: `+20m`, or a date and time').optional(),
    timezone: shortText('For `cron` (UTC without it), and for `at` without an offset')
      .optional()
      .openapi({ example: 'Europe/Berlin' }),
  })
  .openapi('ScheduleWhen', { description: 'One of `cron`, `every` and `at`.' })

const when: z.ZodType<When> = z.union([
  z.object({ cron: z.string(), timezone: z.string() }),
  z.object({ every: z.string(), from: time }),
  z.object({ at: time }),
])

const overlap = z.enum(overlaps).openapi({
  description: 'When a time comes while the last run is not finished: leave it out, or run both',
})
const retries = z.int().min(0).max(mostRetries).openapi({
  description: 'How often a failed run is tried again, ever later (3)',
})
const input = jsonValue.openapi({ description: "The tool's input; `{}` when left out" })

/** What a schedule is made from. */
export const scheduleRequest: z.ZodType<ScheduleRequest> = z
  .strictObject({
    name: shortText('What it is called'),
    tool: shortText('The tool it calls'),
    input: input.optional(),
    when: whenRequest,
    agent: shortText('Call as this agent').optional(),
    overlap: overlap.optional(),
    retries: retries.optional(),
  })
  .openapi('ScheduleRequest')

/** What can be changed about one. */
export const scheduleChange: z.ZodType<ScheduleChange> = z
  .strictObject({
    name: shortText('What it is called').optional(),
    tool: shortText('The tool it calls').optional(),
    input: input.optional(),
    when: whenRequest.optional(),
    overlap: overlap.optional(),
    retries: retries.optional(),
    paused: z.boolean().optional().openapi({
      description: 'True pauses it; false takes it up again, also after it was switched off',
    }),
  })
  .openapi('ScheduleChange')

export const schedule: z.ZodType<Schedule> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    tool: z.string(),
    input: jsonValue,
    when,
    agent: z.string().optional(),
    overlap,
    retries,
    state: z.enum(scheduleStates),
    reason: z.string().optional().openapi({ description: 'Why it is disabled' }),
    failures: z.int().openapi({ description: 'Failed runs in a row; five switch it off' }),
    nextRunAt: time.optional(),
    lastRunAt: time.optional(),
    createdBy: principal,
    runsFor: principal.openapi({
      description: 'Whose permissions it runs with: who last said what it does',
    }),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Schedule')

/** A question: when would it run? */
export const previewRequest = z
  .strictObject({
    when: whenRequest,
    count: z.int().min(1).max(20).default(5).openapi({ description: 'How many times' }),
  })
  .openapi('SchedulePreviewRequest')

export const schedulePreview = z
  .object({
    when,
    times: z.array(time).openapi({ description: 'The next ones; fewer where there are no more' }),
  })
  .openapi('SchedulePreview')

export const scheduleRun: z.ZodType<ScheduleRun> = z
  .object({
    runId: z.string(),
    scheduleId: z.string(),
    trigger: z.enum(['time', 'now']),
    status: z.enum(runStatuses),
    dueAt: time,
    firedAt: time,
    missed: z.int().optional().openapi({
      description: 'Earlier times that this run stands for; counted up to 100',
    }),
    tries: z.int(),
    callId: z.string().optional().openapi({ description: 'The last call' }),
    error: callError.optional(),
    nextTryAt: time.optional(),
    finishedAt: time.optional(),
  })
  .openapi('ScheduleRun')
