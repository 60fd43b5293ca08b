import { z } from 'zod'
import { callError, jsonValue, principal, shortText, time } from '../../core/operations/fields.ts'
import { isPrintable } from '../../core/kernel/text/short-text.ts'
import { mostRetries } from './retry-rule.ts'
import type { When, WhenRequest } from './timing/timing.ts'

/**
 * `active` runs at its times; `paused` by somebody; `disabled` after failures in a row, or because
 * its times can't be computed any more; `finished` has no time left.
 */
const scheduleStates = ['active', 'paused', 'disabled', 'finished'] as const
export type ScheduleState = (typeof scheduleStates)[number]

const overlaps = ['skip', 'allow'] as const
export type Overlap = (typeof overlaps)[number]

const runStatuses = ['running', 'completed', 'failed', 'skipped'] as const
export type RunStatus = (typeof runStatuses)[number]

const whenRequest: z.ZodType<WhenRequest, WhenRequest> = z
  .strictObject({
    cron: shortText('Minute, hour, day, month, weekday, optionally preceded by seconds')
      .optional()
      .meta({ example: '0 9 * * 1-5' }),
    every: shortText('An interval from 1s to 366d, such as 15m or 1h30m').optional(),
    from: shortText('For `every`: the time from which the intervals are counted').optional(),
    at: shortText('Once: `+20m`, or a date and time').optional(),
    timezone: shortText('For `cron` (UTC without it), and for `at` without an offset')
      .optional()
      .meta({ example: 'Europe/Berlin' }),
  })
  .meta({ id: 'ScheduleWhen', description: 'One of `cron`, `every` and `at`.' })

const when: z.ZodType<When> = z.union([
  z.object({ cron: z.string(), timezone: z.string() }),
  z.object({ every: z.string(), from: time }),
  z.object({ at: time }),
])

/** One line of text. Counted as JSON Schema counts, in code points. */
function line(most: number) {
  const fits = (text: string) => {
    const { length } = Array.from(text.slice(0, 2 * most + 2))
    return length >= 1 && length <= most && isPrintable(text)
  }
  return z
    .string()
    .refine(fits, `must be a string of 1 to ${most} printable characters`)
    .meta({ minLength: 1, maxLength: most })
}

const name = line(100).meta({ description: 'What it is called' })
const note = line(200).meta({ description: 'Why it exists or what to know about it, for people' })
const overlap = z.enum(overlaps).meta({
  description: 'If the previous run has not finished: skip the new run, or run both',
})
const retries = z.int().min(0).max(mostRetries).meta({
  description: 'How often a failed run is retried, with increasing delay (3)',
})
const input = jsonValue.meta({ description: "The tool's input (`{}`)" })

/** A new schedule. */
export const scheduleRequest = z
  .strictObject({
    name,
    note: note.optional(),
    tool: shortText('The tool it calls'),
    input: input.optional(),
    when: whenRequest,
    agent: shortText('Call as this agent').optional(),
    overlap: overlap.optional(),
    retries: retries.optional(),
  })
  .meta({ id: 'ScheduleRequest' })
export type ScheduleRequest = z.input<typeof scheduleRequest>

/** A change of a schedule. Omitted fields are unchanged. */
export const scheduleChange = z
  .strictObject({
    name: name.optional(),
    note: note.nullish().meta({
      description: 'Why it exists or what to know about it, for people; null removes it',
    }),
    tool: shortText('The tool it calls').optional(),
    input: input.optional(),
    when: whenRequest.optional(),
    overlap: overlap.optional(),
    retries: retries.optional(),
    paused: z.boolean().optional().meta({
      description: 'True pauses it; false resumes it, also after it was disabled',
    }),
  })
  .meta({ id: 'ScheduleChange' })
export type ScheduleChange = z.input<typeof scheduleChange>

/** A schedule as the doors show it. */
export const schedule = z
  .object({
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    note: z.string().optional().meta({ description: 'For people' }),
    tool: z.string(),
    input: jsonValue,
    when,
    agent: z.string().optional(),
    overlap,
    retries,
    state: z.enum(scheduleStates),
    reason: z.string().optional().meta({ description: 'Why it is disabled' }),
    failures: z.int().meta({ description: 'Consecutive failed runs; five disable it' }),
    nextRunAt: time.optional(),
    lastRunAt: time.optional(),
    createdBy: principal,
    runsFor: principal.meta({
      description:
        'The principal whose permissions it runs with: the last to change its tool or input',
    }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Schedule' })
export type Schedule = z.output<typeof schedule>

/** One entry in the history of a schedule. */
export const scheduleRun = z
  .object({
    runId: z.string(),
    scheduleId: z.string(),
    trigger: z.enum(['time', 'now']),
    status: z.enum(runStatuses),
    dueAt: time,
    firedAt: time,
    missed: z.int().optional().meta({
      description: 'Earlier times that this run catches up; counted up to 100',
    }),
    tries: z.int(),
    callId: z.string().optional().meta({ description: 'The last call' }),
    error: callError.optional(),
    nextTryAt: time.optional(),
    finishedAt: time.optional(),
  })
  .meta({ id: 'ScheduleRun' })
export type ScheduleRun = z.output<typeof scheduleRun>

export const previewRequest = z
  .strictObject({
    when: whenRequest,
    count: z.int().min(1).max(20).default(5).meta({ description: 'How many times' }),
  })
  .meta({ id: 'SchedulePreviewRequest' })

export const schedulePreview = z
  .object({
    when,
    times: z.array(time).meta({ description: 'The next times; fewer if there are no more' }),
  })
  .meta({ id: 'SchedulePreview' })
