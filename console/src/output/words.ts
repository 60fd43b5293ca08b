import { toSafeLine } from './safe-text.ts'
import { sayNumber } from '../ui/locale.ts'

/** `netPresentValue` and `net_present_value` as people write it. */
export function toLabel(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  const label = /^[A-Z0-9 ]+$/.test(words) ? words : words.toLowerCase()
  const safe = toSafeLine(label === '' ? key : label.charAt(0).toUpperCase() + label.slice(1))
  return safe === '' ? '(no name)' : safe
}

/** `1 row`, `1,204 rows`. */
export function count(number: number, noun: string): string {
  return `${sayNumber(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** `812 bytes`, `1.2 MB`: a kilobyte has 1024. */
export function sayBytes(bytes: number): string {
  if (bytes < 1024) return count(bytes, 'byte')
  const units = ['KB', 'MB', 'GB']
  let size = bytes / 1024
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${size.toFixed(size < 10 ? 1 : 0)} ${units[unit] ?? 'GB'}`
}
