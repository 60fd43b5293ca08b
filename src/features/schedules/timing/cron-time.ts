import { CronExpressionParser } from 'cron-parser'
import { ToolError } from '../../../core/kernel/errors.ts'
import { findShift, fromLocalMs, toLocalMs, type ZoneShift } from './zone-time.ts'

const aliases = /^@(?:yearly|monthly|weekly|daily|hourly|weekdays|weekends)$/
const longest = 120
/** No clock change is larger than this. */
const nearMs = 3 * 3_600_000

/** Throws invalid_request for an invalid cron expression, and for one that is never due. */
export function checkCron(cron: string, timezone: string, afterMs: number): void {
  const fields = cron.trim().split(/\s+/)
  if (cron.length > longest) throw unfit(cron.slice(0, longest), `is over ${longest} characters`)
  if (!aliases.test(cron) && fields.length !== 5 && fields.length !== 6) {
    throw unfit(cron, `has ${cron.trim() === '' ? 0 : fields.length} fields, not 5 or 6`)
  }
  // Jenkins' H is replaced by a random number on every parse, so two nodes would not agree on the next run.
  if (fields.some((field) => /\bH\b/i.test(field)))
    throw unfit(cron, 'contains H, which stands for a random number')
  nextCronMs(cron, timezone, afterMs)
}

/**
 * The first moment after `afterMs` that fits. A time skipped by a clock change in spring is moved
 * later by the skipped time. One that occurs twice in autumn runs once, unless it runs every hour.
 *
 * The library gets local times without a zone. With zones it skips the day if the change is at
 * midnight (Cairo, Santiago), and never returns if the change is half an hour.
 */
export function nextCronMs(cron: string, timezone: string, afterMs: number): number {
  if (timezone === 'UTC') return step(cron, 'next', afterMs)
  const near = findShift(timezone, afterMs - nearMs, afterMs + nearMs)
  if (near !== undefined) return nextAround(cron, near, { timezone, afterMs })
  return land(cron, timezone, step(cron, 'next', toLocalMs(timezone, afterMs)))
}

/** The last moment that fits, up to and including `untilMs`. */
export function lastCronMs(cron: string, timezone: string, untilMs: number): number {
  const local = step(cron, 'prev', toLocalMs(timezone, untilMs) + 1)
  return Math.min(fromLocalMs(timezone, local).ms, untilMs)
}

/** The moment of a matching local time, which a clock change may skip. */
function land(cron: string, timezone: string, localMs: number): number {
  const { ms, gapMs } = fromLocalMs(timezone, localMs)
  const shift = gapMs === 0 ? undefined : findShift(timezone, ms - gapMs, ms)
  if (shift === undefined) return ms
  return nextAround(cron, shift, { timezone, afterMs: shift.atMs - 1 })
}

/** The same where the clock is put forward or back close by. */
function nextAround(
  cron: string,
  { atMs, beforeMs, afterMs: offsetMs }: ZoneShift,
  { timezone, afterMs }: { timezone: string; afterMs: number },
): number {
  const earlier = step(cron, 'next', afterMs + beforeMs) - beforeMs
  if (earlier < atMs) return earlier
  const fromMs = Math.max(afterMs, atMs - 1)
  const endOfBefore = atMs + beforeMs
  if (offsetMs > beforeMs) {
    const late = step(cron, 'next', fromMs + beforeMs) - beforeMs
    if (
      late < atMs + (offsetMs - beforeMs) &&
      comesLate(cron, { atMs, beforeMs, afterMs: offsetMs })
    )
      return late
    return land(cron, timezone, step(cron, 'next', fromMs + offsetMs))
  }
  const isAgain = repeatsHourly(cron)
  const from = isAgain ? fromMs + offsetMs : Math.max(fromMs + offsetMs, endOfBefore - 1)
  const local = step(cron, 'next', from)
  return local < endOfBefore ? local - offsetMs : land(cron, timezone, local)
}

/** True if a time skipped by a clock change runs late. Not if the next one follows just as soon. */
function comesLate(cron: string, { atMs, beforeMs, afterMs }: ZoneShift): boolean {
  const late = step(cron, 'next', atMs - 1 + beforeMs) - beforeMs
  const onTime = step(cron, 'next', atMs - 1 + afterMs) - afterMs
  return onTime - late > afterMs - beforeMs
}

function repeatsHourly(cron: string): boolean {
  const fields = cron.trim().split(/\s+/)
  return cron === '@hourly' || fields.at(-4) === '*'
}

/** On a clock without zones. */
function step(cron: string, way: 'next' | 'prev', localMs: number): number {
  try {
    const options = { tz: 'UTC', currentDate: new Date(localMs) }
    return CronExpressionParser.parse(cron, options)[way]().getTime()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (/loop limit|day of month definition/.test(reason)) throw unfit(cron, 'never comes due')
    throw unfit(cron, `is not understood: ${reason}`)
  }
}

function unfit(cron: string, what: string): ToolError {
  return new ToolError('invalid_request', `The cron expression ${JSON.stringify(cron)} ${what}`, {
    issues: [{ path: '/when/cron', message: what }],
    fix: "Write minute, hour, day, month and weekday, like '0 9 * * 1-5', optionally preceded by seconds.",
  })
}
