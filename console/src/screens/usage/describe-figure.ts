import { formatDuration } from '../../ui/time.tsx'
import { formatBytes } from './amounts.ts'
import type { Measure } from './usage-figures.ts'
import { locale } from '../../ui/format/locale.ts'

const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

/** A figure with its unit, in full. */
export function describeFigure(value: number, measure: Measure): string {
  if (measure === 'runMs') return formatDuration(value)
  if (measure === 'outputBytes') return formatBytes(value)
  if (measure === 'cost') return `${plain.format(value)} units`
  return plain.format(value)
}

/** A short form, for axes and tiles. */
export function describeShort(value: number, measure: Measure): string {
  if (measure === 'runMs' || measure === 'outputBytes') return describeFigure(value, measure)
  return value < 10_000 ? plain.format(value) : compact.format(value)
}
