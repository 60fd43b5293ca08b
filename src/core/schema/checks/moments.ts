/** Dates, times and durations as RFC 3339 writes them. */

const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/
const timePattern = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isDate(text: string): boolean {
  const found = datePattern.exec(text)
  if (found === null) return false
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number)
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0)
  return day >= 1 && day <= days
}

/** With its zone. A leap second counts only where UTC has one: at the end of a day. */
export function isTime(text: string): boolean {
  const found = timePattern.exec(text)
  if (found === null) return false
  const [, hour, minute, second, sign, zoneHour = '0', zoneMinute = '0'] = found
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return false
  if (Number(hour) > 23 || Number(minute) > 59) return false
  if (Number(second) < 60) return true
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  const minuteInUtc = (Number(hour) * 60 + Number(minute) - offset + 2 * 1440) % 1440
  return Number(second) === 60 && minuteInUtc === 1439
}

export function isDateTime(text: string): boolean {
  const [date = '', time, ...rest] = text.split(/[t\s]/i)
  return rest.length === 0 && time !== undefined && isDate(date) && isTime(time)
}

export const duration =
  /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/
