import { toDurationMs } from '../../core/kernel/duration.ts'
import { usageError } from './parse-options.ts'

/** `500ms`, `30s`, `5m`, `2h`, `30d` as milliseconds; a bare number is seconds. */
export function parseDuration(option: string, text: string): number {
  const ms = toDurationMs(/\d$/.test(text) ? `${text}s` : text)
  if (ms !== undefined) return ms
  throw usageError(`${option} takes a time such as 500ms, 30s, 5m, 2h or 30d, not ${text}.`)
}
