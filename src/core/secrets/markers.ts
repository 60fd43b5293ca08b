import type { Automaton } from './automaton.ts'

/** The start of the search for a character that no pattern contains: U+2588, a full block. */
const firstSymbol = 0x2588
/** How every preferred marker starts. */
const openings = ['[redacted', '(redacted', '(hidden)'] as const

/**
 * The marker for each secret, by its name: `[redacted:<name>]`, unless a secret is so similar that
 * the marker, alone or with the text around it, would spell that secret again. Each pattern is
 * checked once, not once per name: a thousand secrets would block the thread for seconds.
 */
export function toMarkers(
  patterns: ReadonlyMap<string, string>,
  automaton: Automaton,
): Map<string, string> {
  const names = new Set(patterns.values())
  const longest = Math.max(0, ...Array.from(names, (name) => name.length)) + '[redacted:]'.length
  const tails = toTails(patterns.keys(), longest)
  const isSafe = (marker: string) =>
    !endsLikeBeginning(automaton, marker) &&
    !tails.some((tail) => tail.startsWith(marker) || marker.startsWith(tail))
  let symbol: string | undefined
  const markers = new Map<string, string>()
  for (const name of names) {
    const wanted = [`[redacted:${name}]`, `(redacted:${name})`, '[redacted]', '(hidden)']
    markers.set(name, wanted.find(isSafe) ?? (symbol ??= toUnusedSymbol(patterns.keys())))
  }
  return markers
}

/** True if the marker contains a pattern, or ends with the start of one. */
function endsLikeBeginning({ root, next }: Automaton, marker: string): boolean {
  let node = root
  for (let index = 0; index < marker.length; index++) {
    node = next(node, marker.charCodeAt(index))
    if (node.matchLength > 0) return true
  }
  return node !== root
}

/** The tails of patterns after a marker or the start of one, up to the length of a marker. */
function toTails(patterns: Iterable<string>, longest: number): string[] {
  const tails = new Set<string>()
  for (const pattern of patterns) {
    for (const { index } of pattern.matchAll(/[[(]/g)) {
      const tail = pattern.slice(index, index + longest)
      if (openings.some((opening) => tail.startsWith(opening) || opening.startsWith(tail))) {
        tails.add(tail)
      }
    }
  }
  return [...tails]
}

function toUnusedSymbol(patterns: Iterable<string>): string {
  const used = new Set<number>()
  for (const pattern of patterns) {
    for (let index = 0; index < pattern.length; index++) used.add(pattern.charCodeAt(index))
  }
  let unit = firstSymbol
  while (used.has(unit)) unit += 1
  return String.fromCharCode(unit)
}
