import { withAcronyms } from '../../ui/format/acronyms.ts'
import { toSafeLine } from './safe-text.ts'
import { formatNumber } from '../../ui/format/locale.ts'

/** `netPresentValue` and `net_present_value` as people write it. */
export function toLabel(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  const label = withAcronyms(/^[A-Z0-9 ]+$/.test(words) ? words : words.toLowerCase())
  const safe = toSafeLine(label === '' ? key : label.charAt(0).toUpperCase() + label.slice(1))
  return safe === '' ? '(no name)' : safe
}

/** `1 row`, `1,204 rows`. */
export function count(number: number, noun: string): string {
  return `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`
}
