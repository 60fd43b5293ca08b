import { locale } from './locale.ts'

/** One clock everywhere: 24 hours, as schedules are written. A test keeps other formatters away. */
const hourCycle = 'h23'
const moments = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle,
})
const exactMoments = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle,
})
const shortMoments = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle,
})

/** `Nov 17, 2026, 09:07`. */
export function formatDateTime(at: string | number): string {
  return moments.format(new Date(at))
}

/** `Nov 17, 2026, 09:07:57`. */
export function formatExactDateTime(at: string | number): string {
  return exactMoments.format(new Date(at))
}

/** `Nov 17, 09:07:57`. */
export function formatShortDateTime(at: string | number): string {
  return shortMoments.format(new Date(at))
}
