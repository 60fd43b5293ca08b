import { toSafeLine } from './safe-text.ts'
import type { Screen } from './screen.ts'

/** Warnings from the server, one a line; with `--json` they are part of the answer. */
export function showWarnings(
  screen: Screen,
  { warnings = [] }: { warnings?: readonly string[] },
): void {
  if (screen.isJson) return
  for (const warning of warnings) screen.err(`! ${toSafeLine(warning)}`)
}
