import { ToolError } from '../../../core/kernel/errors.ts'
import { checkCron } from './cron-time.ts'
import { toDurationMs, toDurationText } from '../../../core/kernel/duration.ts'
import { fromLocalMs, isTimezone } from './zone-time.ts'

/** When a schedule runs, as people write it. One of `cron`, `every` and `at`. */
export interface WhenRequest {
  /** `0 9 * * 1-5`: five fields, or six with seconds first. */
  cron?: string
  /** `15m`, `1h30m`, `7d`. */
  every?: string
  /** For `every`: the time from which the intervals are counted. */
  from?: string
  /** `+20m`, or a date and time; without an offset it needs a `timezone`. */
  at?: string
  /** For `cron` and `at`: `Europe/Berlin`. */
  timezone?: string
}

/** When a schedule runs, complete: nothing in it depends on when it was written. */
export type When =
  | { cron: string; timezone: string }
  | { every: string; from: string }
  | { at: string }

/** The same timing in milliseconds, for calculations. */
export type Timing =
  | { kind: 'cron'; cron: string; timezone: string }
  | { kind: 'every'; everyMs: number; anchorMs: number }
  | { kind: 'at'; atMs: number }

const shortestMs = 1000
const longestMs = 366 * 86_400_000
/** Nobody plans further ahead, and this catches numbers in the wrong unit. */
const farthestMs = 10 * longestMs

/** Parses the timing of a schedule; throws invalid_request with the place and the fix. */
export function parseWhen(when: WhenRequest, nowMs: number): Timing {
  const given = (['cron', 'every', 'at'] as const).filter((kind) => when[kind] !== undefined)
  if (given.length !== 1) throw unfit('', 'takes one of cron, every and at')
  if (when.cron !== undefined) return parseCron(when.cron, when, nowMs)
  if (when.every !== undefined) return parseEvery(when.every, when, nowMs)
  return parseAt(when.at ?? '', when, nowMs)
}

/** The complete form, as shown to people. */
export function toWhen(timing: Timing): When {
  if (timing.kind === 'cron') return { cron: timing.cron, timezone: timing.timezone }
  if (timing.kind === 'at') return { at: new Date(timing.atMs).toISOString() }
  const from = new Date(timing.anchorMs).toISOString()
  return { every: toDurationText(timing.everyMs), from }
}

function parseCron(cron: string, when: WhenRequest, nowMs: number): Timing {
  refuse(when, 'from', 'cron')
  const timezone = parseTimezone(when.timezone) ?? 'UTC'
  checkCron(cron, timezone, nowMs)
  return { kind: 'cron', cron: cron.trim(), timezone }
}

function parseEvery(every: string, when: WhenRequest, nowMs: number): Timing {
  refuse(when, 'timezone', 'every')
  const everyMs = toDurationMs(every)
  if (everyMs === undefined) throw unfit('/every', 'must be a time such as 30s, 15m, 1h30m or 7d')
  if (everyMs < shortestMs || everyMs > longestMs) throw unfit('/every', 'must be from 1s to 366d')
  if (everyMs % 1000 !== 0) throw unfit('/every', 'must be whole seconds')
  const anchorMs = when.from === undefined ? nowMs : parseMoment('/from', when.from, undefined)
  if (Math.abs(anchorMs - nowMs) > farthestMs) throw unfit('/from', 'is more than 10 years away')
  return { kind: 'every', everyMs, anchorMs }
}

function parseAt(at: string, when: WhenRequest, nowMs: number): Timing {
  refuse(when, 'from', 'at')
  const atMs = at.startsWith('+')
    ? nowMs + parseDelay(at.slice(1))
    : parseMoment('/at', at, parseTimezone(when.timezone))
  if (atMs <= nowMs) throw unfit('/at', `is in the past (${new Date(atMs).toISOString()})`)
  if (atMs - nowMs > farthestMs) throw unfit('/at', 'is more than 10 years away')
  return { kind: 'at', atMs }
}

function parseDelay(text: string): number {
  const ms = toDurationMs(text)
  if (ms !== undefined) return ms
  throw unfit('/at', 'must be a time from now such as +20m, or a date such as 2026-12-01T09:00Z')
}

const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/

function parseMoment(path: string, text: string, timezone: string | undefined): number {
  const [whole, day = '', clock = '00:00', seconds = ':00', offset] = moment.exec(text) ?? []
  const local = Date.parse(`${day}T${clock}${seconds}Z`)
  // Date.parse takes the 31st of April for the 1st of May.
  const isReal = Number.isFinite(local) && new Date(local).toISOString().startsWith(day)
  const moved = offset === undefined ? local : Date.parse(`${day}T${clock}${seconds}${offset}`)
  if (whole === undefined || !isReal || !Number.isFinite(moved)) {
    throw unfit(path, 'is not a valid date and time; write it like 2026-12-01T09:00:00+01:00')
  }
  if (offset !== undefined) return moved
  if (timezone !== undefined) return fromLocalMs(timezone, local).ms
  throw unfit(path, 'does not say in which time zone; end it with Z or +01:00, or give a timezone')
}

function parseTimezone(timezone: string | undefined): string | undefined {
  if (timezone === undefined || isTimezone(timezone)) return timezone
  throw unfit('/timezone', 'is not a known time zone; write it like Europe/Berlin or UTC')
}

function refuse(when: WhenRequest, field: 'from' | 'timezone', kind: string): void {
  if (when[field] !== undefined) throw unfit(`/${field}`, `has no meaning with ${kind}`)
}

function unfit(path: string, message: string): ToolError {
  return new ToolError('invalid_request', `when${path.replace('/', '.')} ${message}`, {
    issues: [{ path: `/when${path}`, message }],
    fix: "Give { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' }, { every: '15m' } or { at: '+20m' }.",
  })
}
