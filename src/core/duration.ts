const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** How a length of time is written: `500ms`, `30s`, `5m`, `2h`, `30d`, `1w`. */
export const durationPattern = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d|w)$/

/** A written length of time in milliseconds; undefined for anything else, also for none at all. */
export function toDurationMs(text: string): number | undefined {
  const [, amount = '', unit = ''] = durationPattern.exec(text) ?? []
  const ms = Math.round(Number(amount || NaN) * (unitMs[unit] ?? NaN))
  return ms >= 1 ? ms : undefined
}
