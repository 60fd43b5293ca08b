import type { JsonValue } from '../tool.ts'

/**
 * Whether something was taken out of this value: it shows what happened, but must not be used as if
 * it were what was said. A text that only looks like it counts too; asking again costs little.
 */
export function isRedacted(value: JsonValue): boolean {
  return /[[(](?:redacted|hidden)/.test(JSON.stringify(value))
}
