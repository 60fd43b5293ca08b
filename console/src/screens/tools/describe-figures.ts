import type { Api } from '../../api/client.ts'
import { locale } from '../../ui/format/locale.ts'

const count = new Intl.NumberFormat(locale)

/** `1,284 calls · 99.2% ok · p95 120 ms`; cancelled calls do not count as failures. */
export function describeFigures(
  { calls, completed, failed, denied, p95Ms }: Api<'ToolUsage'>,
  formatDuration: (ms: number) => string,
): string {
  const judged = completed + failed + denied
  return [
    `${count.format(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    ...(judged === 0 ? [] : [`${describeShare(completed / judged)} ok`]),
    ...(p95Ms === undefined ? [] : [`p95 ${formatDuration(p95Ms)}`]),
  ].join(' · ')
}

/** One decimal, and 100% only if it is exact. */
export function describeShare(share: number): string {
  const percent = Math.floor(share * 1000) / 10
  return `${percent}%`
}
