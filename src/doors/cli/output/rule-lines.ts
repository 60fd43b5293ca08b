import type { AskVerdict, Change, LayerVerdict } from '../../../core/policy/scope.ts'
import { toSafeLine } from './safe-text.ts'
import type { Format, Screen } from './screen.ts'
import { wrap } from './text-width.ts'

/** A rule as explain prints it: who made it, and what would change it. */
type Rule = Pick<LayerVerdict | AskVerdict, 'setBy' | 'fix' | 'change'>

/** Lines below a reason, indented and wrapped: `set by …` and `→ what to do`. */
export function showRule(screen: Screen, { setBy, fix, change }: Rule, indent: number): void {
  if (setBy !== undefined)
    showWrapped(screen, `set by ${toSafeLine(setBy)}`, { indent, format: 'dim' })
  const ways = change === undefined ? [] : toWays(change)
  const way = ways.length > 0 ? ways.join(' or ') : fix
  if (way !== undefined) showWrapped(screen, `→ ${toSafeLine(way)}`, { indent })
}

/** The ways to make a change, as text. */
export function toWays({ command, api, configuration }: Change): string[] {
  if (configuration !== undefined) return [`change ${configuration} in the configuration`]
  return [command, api].flatMap((way) => (way === undefined ? [] : [way]))
}

/** Text broken to the screen, every line indented. */
export function showWrapped(
  screen: Screen,
  text: string,
  { indent, format }: { indent: number; format?: Format },
): void {
  for (const line of wrap(text, screen.width - indent)) {
    screen.out(' '.repeat(indent) + (format === undefined ? line : screen.style(format, line)))
  }
}
