import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { priorityRange } from '../../../core/pipeline/record/work-order.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { jsonValue, shortText } from '../../../core/operations/fields.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'

const maxTimeoutMs = 24 * 60 * 60 * 1000
const maxDelaySeconds = 365 * 24 * 60 * 60

export interface CallBody {
  input?: JsonValue
  agent?: string
  skill?: string
  sessionId?: string
  timeoutMs?: number
  priority?: number
  delay?: number
}

/** Describes the body of a call. `parseCallBody` reads it: keep the two together. */
export const callBody: z.ZodType<CallBody> = z
  .strictObject({
    input: jsonValue.optional().meta({ description: "The tool's input; `{}` when left out" }),
    agent: shortText('Call as this agent').optional(),
    skill: shortText('A skill of the agent that is in force: its permissions narrow').optional(),
    sessionId: shortText('The conversation this call belongs to').optional(),
    timeoutMs: z
      .int()
      .min(1)
      .max(maxTimeoutMs)
      .optional()
      .meta({ description: "Stop after this long; never longer than the tool's own limit" }),
    priority: z.int().min(priorityRange.min).max(priorityRange.max).optional().meta({
      description: 'Queue it; among queued calls a higher one goes first. 0 by default',
    }),
    delay: z
      .number()
      .min(0)
      .max(maxDelaySeconds)
      .optional()
      .meta({ description: 'Queue it, to start so many seconds from now' }),
  })
  .meta({ id: 'CallRequest' })

/** The same checks by hand: this is the hottest path of the door, and a call's input is not looked into here. */
export function parseCallBody(value: unknown): CallBody {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unfit('', 'must be an object such as { "input": { … } }')
  }
  for (const key of Object.keys(value)) checkField(key, (value as Record<string, unknown>)[key])
  return value
}

interface FieldCheck {
  fits(value: unknown): boolean
  wanted: string
}

const whole = (min: number, max: number): FieldCheck => ({
  fits: (value) => Number.isSafeInteger(value) && isBetween(value, min, max),
  wanted: `a whole number from ${min} to ${max}`,
})
const text: FieldCheck = { fits: isShortText, wanted: 'a string of 1 to 200 characters' }

const fieldChecks = new Map<string, FieldCheck>([
  ['input', { fits: () => true, wanted: '' }],
  ['agent', text],
  ['skill', text],
  ['sessionId', text],
  ['timeoutMs', whole(1, maxTimeoutMs)],
  ['priority', whole(priorityRange.min, priorityRange.max)],
  [
    'delay',
    {
      fits: (value) => isBetween(value, 0, maxDelaySeconds),
      wanted: `a number of seconds from 0 to ${maxDelaySeconds}`,
    },
  ],
])

function checkField(key: string, value: unknown): void {
  const check = fieldChecks.get(key)
  if (check?.fits(value)) return
  if (check !== undefined) throw unfit(`/${key}`, `must be ${check.wanted}`)
  throw unfit(`/${key.slice(0, 100)}`, "is not known here; the tool's own fields go under input")
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max
}

function unfit(path: string, message: string): ToolError {
  return new ToolError(
    'invalid_request',
    `The body does not match the schema: ${path === '' ? 'it' : path} ${message}`,
    {
      issues: [{ path, message }],
      fix: 'Send { "input": { … }, "agent"?, "skill"?, "sessionId"?, "timeoutMs"?, "priority"?, "delay"? }.',
    },
  )
}

/** The preferences in `Prefer` (RFC 7240). */
export interface Preference {
  respondAsync: boolean
  /** How long an asynchronous call may be waited for before the 202. */
  waitSeconds: number
}

const noPreference: Preference = { respondAsync: false, waitSeconds: 0 }

/** Reads `Prefer: respond-async, wait=10`. Preferences that we do not know are ignored, as they must be. */
export function parsePreference(header: string | undefined, maxWaitSeconds: number): Preference {
  if (header === undefined) return noPreference
  const wishes = header
    .toLowerCase()
    .split(/[,;]/)
    .map((wish) => wish.trim())
  const wait = wishes
    .map((wish) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(wish)?.[1])
    .find((n) => n !== undefined)
  return {
    respondAsync: wishes.includes('respond-async'),
    waitSeconds: Math.min(Number(wait ?? 0), maxWaitSeconds),
  }
}

const visibleAscii = /^[\x20-\x7e]{1,255}$/

/** The caller's own name for this call: asking again with it gives the same call. */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || visibleAscii.test(header)) return header
  throw new ToolError(
    'invalid_request',
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  )
}
