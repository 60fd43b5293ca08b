import { toSafeLine } from './safe-text.ts'
import type { Screen } from './screen.ts'
import { pad } from './text-width.ts'

/** A title and facts, one line each; facts without a value are left out. */
export function showFacts(
  screen: Screen,
  title: string | undefined,
  facts: readonly (readonly [label: string, value: string | undefined])[],
): void {
  if (title !== undefined) screen.out(screen.style('bold', toSafeLine(title)))
  const known = facts.filter(([, value]) => value !== undefined && value !== '')
  const width = Math.max(0, ...known.map(([label]) => label.length))
  for (const [label, value] of known) {
    screen.out(`${screen.style('dim', pad(label, width))}  ${toSafeLine(value ?? '')}`)
  }
}
