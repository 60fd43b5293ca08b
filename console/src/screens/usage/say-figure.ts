import { sayDuration } from '../../ui/time.tsx'
import type { Measure } from './usage-figures.ts'

const plain = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.4 MB`. */
export function sayBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${byteUnits[power] ?? 'B'}`
}

/** A figure with its unit, whole. */
export function sayFigure(value: number, measure: Measure): string {
  if (measure === 'runMs') return sayDuration(value)
  if (measure === 'outputBytes') return sayBytes(value)
  if (measure === 'cost') return `${plain.format(value)} units`
  return plain.format(value)
}

/** The same where there is little room: on an axis, on a tile. */
export function sayShort(value: number, measure: Measure): string {
  if (measure === 'runMs' || measure === 'outputBytes') return sayFigure(value, measure)
  return value < 10_000 ? plain.format(value) : compact.format(value)
}

export function sayPercent(part: number, whole: number): string {
  if (whole === 0) return '0%'
  const share = (part / whole) * 100
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)}%`
}
