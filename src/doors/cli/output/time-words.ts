const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** A future moment on the clock of this machine: `in 12 min`, `tomorrow 09:00`. */
export function toTimeWords(time: string, nowMs: number): string {
  const date = new Date(time)
  const ms = date.getTime() - nowMs
  if (Number.isNaN(ms)) return ''
  if (ms <= 0) return 'now'
  if (ms < minuteMs) return `in ${Math.ceil(ms / 1000)} s`
  if (ms < hourMs) return `in ${Math.round(ms / minuteMs)} min`
  const days = daysBetween(new Date(nowMs), date)
  if (days === 0) return `today ${toClock(date)}`
  if (days === 1) return `tomorrow ${toClock(date)}`
  return days < 7 ? `${weekdays[date.getDay()]} ${toClock(date)}` : toLocalTime(time)
}

/** A moment on the clock of this machine: `2026-12-01 09:00`. */
export function toLocalTime(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')
  return `${day} ${toClock(date)}`
}

/** Midnights between two moments; a day is not always 24 hours long. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(to) - midnight(from)) / dayMs)
}

function toClock(date: Date): string {
  return [date.getHours(), date.getMinutes()].map(twoDigits).join(':')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** How long until then: `30m`, `5h`, `expired`. */
export function toTimeLeft(until: string): string {
  const minutes = Math.ceil((Date.parse(until) - Date.now()) / 60_000)
  if (Number.isNaN(minutes)) return ''
  if (minutes <= 0) return 'expired'
  return minutes < 120 ? `${minutes}m` : `${Math.round(minutes / 60)}h`
}
