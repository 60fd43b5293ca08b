import { CronExpressionParser } from 'cron-parser'
import { ToolError } from '../errors.ts'
import { fromLocalMs, toLocalMs } from './zone-time.ts'

const aliases = /^@(?:yearly|monthly|weekly|daily|hourly|weekdays|weekends)$/
const longest = 120

/** Throws invalid_request for what is no cron expression, and for one that never comes due. */
export function checkCron(cron: string, timezone: string, afterMs: number): void {
  const fields = cron.trim().split(/\s+/)
  if (cron.length > longest) throw unfit(cron.slice(0, longest), `is over ${longest} characters`)
  if (!aliases.test(cron) && fields.length !== 5 && fields.length !== 6) {
    throw unfit(cron, `has ${cron.trim() === '' ? 0 : fields.length} fields, not 5 or 6`)
  }
  // Jenkins' H stands for a number drawn anew each time: two nodes would not agree on the next run.
  if (fields.some((field) => /\bH\b/i.test(field)))
    throw unfit(cron, 'has an H, which means chance')
  nextCronMs(cron, timezone, afterMs)
}

/**
 * The first moment after `afterMs` that fits. A time that the clock jumps over in spring comes as
 * much later; one that it shows twice in autumn comes once, unless the hour is a wildcard.
 */
export function nextCronMs(cron: string, timezone: string, afterMs: number): number {
  const next = step(cron, 'next', { timezone, ms: afterMs })
  if (timezone === 'UTC') return next
  // The library leaves a whole day out where the jump is at midnight (Cairo, Santiago, Havana).
  const local = step(cron, 'next', { timezone: 'UTC', ms: toLocalMs(timezone, afterMs) })
  const { ms, gapMs } = fromLocalMs(timezone, local)
  const isLeftOut = gapMs > 0 && ms > afterMs && next - ms > gapMs
  return isLeftOut ? ms : next
}

/** The last moment that fits, up to and including `untilMs`. */
export function lastCronMs(cron: string, timezone: string, untilMs: number): number {
  return step(cron, 'prev', { timezone, ms: untilMs + 1 })
}

interface From {
  timezone: string
  ms: number
}

function step(cron: string, way: 'next' | 'prev', { timezone, ms }: From): number {
  try {
    const options = { tz: timezone, currentDate: new Date(ms) }
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
    fix: "Write minute, hour, day, month and weekday, like '0 9 * * 1-5'; a field for seconds may stand before them.",
  })
}
