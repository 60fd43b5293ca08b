import type { Api } from '../../api/client.ts'

type When = Api<'Schedule'>['when']

/** When a schedule runs, in plain words. */
export function describeSchedule(when: When): string {
  if ('every' in when) return `Every ${describeInterval(when.every)}`
  if ('at' in when) return 'Once'
  return describeCron(when.cron) ?? `At ${when.cron}`
}

const unitWords: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
}

/** `15m` as `15 minutes`, `1d` as `day`. */
export function describeInterval(every: string): string {
  const parts = [...every.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)]
  if (parts.length === 0) return every
  const [only] = parts
  if (parts.length === 1 && only?.[1] === '1') return unitWords[only[2] ?? ''] ?? every
  return parts
    .map(([, count = '', unit = '']) => `${count} ${unitWords[unit]}${count === '1' ? '' : 's'}`)
    .join(' ')
}

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** A cron expression in words; undefined if there is no plain description. */
export function describeCron(expression: string): string | undefined {
  const fields = toFields(expression)
  if (fields === undefined) return undefined
  const time = describeTime(fields.minute, fields.hour)
  const days = describeDays(fields.day, fields.weekday)
  const months = inMonths(fields.month)
  if (time === undefined || days === undefined || months === undefined) return undefined
  return [join(days, time), months].filter(Boolean).join(' ')
}

/** The five fields; undefined with other fields, or where cron means "either of two". */
function toFields(expression: string) {
  const text = nicknames[expression.trim().toLowerCase()] ?? expression.trim()
  const parts = text.split(/\s+/)
  const six = parts.length === 5 ? ['0', ...parts] : parts
  const [seconds, minute = '', hour = '', day = '', month = '', weekday = ''] = six
  if (six.length !== 6 || seconds !== '0') return undefined
  if (!isAny(day) && !isAny(weekday)) return undefined
  return { minute, hour, day, month, weekday }
}

function isAny(field: string): boolean {
  return field === '*' || field === '?'
}

function join(days: string, time: string): string {
  if (days !== '') return `${days} ${lower(time)}`
  return time.startsWith('At') ? `Every day ${lower(time)}` : time
}

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function describeTime(minute: string, hour: string): string | undefined {
  const everyMinutes = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (hour === '*' && minute === '*') return 'Every minute'
  if (hour === '*' && everyMinutes !== undefined) return `Every ${everyMinutes} minutes`
  const at = toNumber(minute, 59)
  if (at === undefined) return undefined
  const past = at === 0 ? 'on the hour' : `at ${two(at)} past`
  if (hour === '*') return `Every hour ${past}`
  const everyHours = /^\*\/(\d+)$/.exec(hour)?.[1]
  if (everyHours !== undefined) return `Every ${everyHours} hours ${past}`
  const hours = hour.split(',').map((one) => toNumber(one, 23))
  if (hours.includes(undefined)) return undefined
  return `At ${list(hours.map((one) => `${two(one ?? 0)}:${two(at)}`))}`
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const shortDays = weekdays.map((name) => name.slice(0, 3).toUpperCase())

function describeDays(day: string, weekday: string): string | undefined {
  if (!isAny(day)) return describeMonthDays(day)
  if (isAny(weekday)) return ''
  const range = /^(\w+)-(\w+)$/.exec(weekday)
  if (range !== null) {
    const [from, to] = [toWeekday(range[1] ?? ''), toWeekday(range[2] ?? '')]
    return from === undefined || to === undefined ? undefined : `${from} to ${to}`
  }
  const names = weekday.split(',').map(toWeekday)
  return names.includes(undefined) ? undefined : `Every ${list(names.map((name) => name ?? ''))}`
}

function describeMonthDays(day: string): string | undefined {
  if (day === 'L') return 'On the last day of the month'
  const days = day.split(',').map((one) => toNumber(one, 31))
  if (days.some((one) => one === undefined || one === 0)) return undefined
  return `On day ${list(days.map(String))} of the month`
}

function toWeekday(text: string): string | undefined {
  const short = shortDays.indexOf(text.toUpperCase())
  const number = short >= 0 ? short : toNumber(text, 7)
  return number === undefined ? undefined : weekdays[number % 7]
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

function inMonths(text: string): string | undefined {
  if (isAny(text)) return ''
  const names = text.split(',').map((one) => months[(toNumber(one, 12) ?? 0) - 1])
  return names.includes(undefined) ? undefined : `in ${list(names.map((name) => name ?? ''))}`
}

function toNumber(text: string, most: number): number | undefined {
  return /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined
}

function two(count: number): string {
  return String(count).padStart(2, '0')
}

function list(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
}
