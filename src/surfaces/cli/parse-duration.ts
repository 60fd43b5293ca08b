import { usageError } from './parse-options.ts'

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `500ms`, `30s`, `5m`, `2h`, `30d` as milliseconds; a bare number is seconds. */
export function parseDuration(option: string, text: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d|w)?$/.exec(text) ?? []
  const ms = Math.round(Number(amount || NaN) * (unitMs[unit] ?? NaN))
  if (ms >= 1) return ms
  throw usageError(`${option} takes a time such as 500ms, 30s, 5m, 2h or 30d, not ${text}.`)
}
