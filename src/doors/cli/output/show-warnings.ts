import { toSafeLine } from './safe-text.ts'
import type { Screen } from './screen.ts'

/** What a server warns of, on its own lines; as JSON it stands in the answer already. */
export function showWarnings(
  screen: Screen,
  { warnings = [] }: { warnings?: readonly string[] },
): void {
  if (screen.isJson) return
  for (const warning of warnings) screen.err(`! ${toSafeLine(warning)}`)
}
