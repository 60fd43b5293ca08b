import { formatNumber } from '../../ui/format/locale.ts'

interface Range {
  from: number
  shown: number
  /** The lines of this text. */
  count: number
  /** The lines of the file that it is from, if that is known. */
  total: number | undefined
}

/** `12 lines`, `Lines 1–200 of 5,000`. */
export function describeLines({ from, shown, count, total }: Range): string {
  const end = from + shown - 1
  const isPart = total !== undefined && total > count
  const last = isPart ? Math.max(total, from + count - 1) : from + count - 1
  if (from === 1 && end >= last) return shown === 1 ? '1 line' : `${formatNumber(shown)} lines`
  const range = `Lines ${formatNumber(from)}–${formatNumber(end)}`
  return isPart || end < last ? `${range} of ${formatNumber(last)}` : range
}
