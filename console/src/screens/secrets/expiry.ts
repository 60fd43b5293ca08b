import type { Tone } from '../../ui/tag.tsx'

const dayMs = 86_400_000
/** The warning period before a secret expires. */
export const warnDays = 14

/** The state of an expiry: past, near or far. */
export function toExpiry(
  expiresAt: string,
  now: number,
): { tone: Tone; state: 'expired' | 'soon' | 'later' } {
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return { tone: 'deny', state: 'expired' }
  return left <= warnDays * dayMs
    ? { tone: 'ask', state: 'soon' }
    : { tone: 'plain', state: 'later' }
}

/** The last valid day in local time, as a date field has it. */
export function toDay(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return ''
  // Just before the moment: a value that expires at midnight is valid on the day before.
  const last = new Date(Date.parse(expiresAt) - 1)
  const [year, month, day] = [last.getFullYear(), last.getMonth() + 1, last.getDate()]
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-')
}

/** The end of that day in local time; null without a day. */
export function toMoment(day: string): string | null {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  const end = new Date(year, month - 1, date + 1)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
