const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const monthDays = 30.44
const yearDays = 365.25

/** `12s ago`, `in 23 h`, `tomorrow`, `in 3 months`. Rounded, and days are those of the calendar. */
export function formatTimeAgo(atMs: number, nowMs: number): string {
  const differenceMs = atMs - nowMs
  const size = Math.abs(differenceMs)
  if (Math.round(size / secondMs) === 0) return 'now'
  if (Math.round(differenceMs / dayMs) !== 0 && Math.round(size / hourMs) >= 24) {
    return describeDays(calendarDays(atMs, nowMs) || Math.sign(differenceMs))
  }
  return place(describeShort(size), differenceMs)
}

function describeShort(size: number): string {
  if (Math.round(size / secondMs) < 60) return `${Math.round(size / secondMs)}s`
  if (Math.round(size / minuteMs) < 60) return `${Math.round(size / minuteMs)} min`
  return `${Math.round(size / hourMs)} h`
}

function describeDays(days: number): string {
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  const size = Math.abs(days)
  if (size <= 60) return place(`${size} days`, days)
  const months = Math.round(size / monthDays)
  if (months < 24) return place(`${months} months`, days)
  return place(`${Math.round(size / yearDays)} years`, days)
}

function place(words: string, difference: number): string {
  return difference > 0 ? `in ${words}` : `${words} ago`
}

/** How many midnights lie between two moments, where this browser is. */
function calendarDays(atMs: number, nowMs: number): number {
  return Math.round((midnight(atMs) - midnight(nowMs)) / dayMs)
}

function midnight(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0)
}
