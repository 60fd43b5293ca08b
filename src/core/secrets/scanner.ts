import type { Automaton } from './automaton.ts'

/** Text that belongs to secrets, from `start` to `end` within the text held back. */
interface Region {
  start: number
  end: number
  name: string
  isShown: boolean
}

/**
 * Replaces matches in a text that arrives in pieces. Overlapping matches are one region with one
 * marker, named after the match that starts first (of two, the longer). A character is released
 * once no pattern that started before or at it can still end later, so the result does not depend
 * on where the pieces were cut. With guarding, revealing prefixes of patterns count as matches.
 */
export function createScanner(
  automaton: Automaton,
  markers: ReadonlyMap<string, string>,
  isGuarding = false,
) {
  let node = automaton.root
  let held = ''
  let regions: Region[] = []

  const read = (chunk: string) => {
    const before = held.length
    held += chunk
    for (let index = 0; index < chunk.length; index++) {
      node = automaton.next(node, chunk.charCodeAt(index))
      const isBeginning = isGuarding && node.guardLength > node.matchLength
      const length = isBeginning ? node.guardLength : node.matchLength
      if (length === 0) continue
      const name = isBeginning ? node.guardName : node.matchName
      const end = before + index + 1
      addMatch(regions, { start: end - length, end, name, isShown: false })
    }
  }

  const release = (end: number) => {
    let shown = ''
    let position = 0
    for (const region of regions) {
      if (region.start >= end) break
      shown += held.slice(position, Math.max(position, region.start))
      if (!region.isShown) shown += markers.get(region.name) ?? ''
      region.isShown = true
      position = Math.min(region.end, end)
    }
    shown += held.slice(position, end)
    held = held.slice(end)
    regions = regions.filter((region) => region.end > end)
    for (const region of regions) {
      region.start -= end
      region.end -= end
    }
    return shown
  }

  return {
    push(chunk: string): string {
      read(chunk)
      const end = held.length - node.openLength
      // Half a pair would not survive being sent separately.
      return release(end > 0 && isHighSurrogate(held.charCodeAt(end - 1)) ? end - 1 : end)
    },
    /** The original text held back; undefined if part of it belongs to a secret that was found. */
    heldText: () => (regions.length === 0 ? held : undefined),
    /** How many characters are held back because a pattern may start there. */
    openLength: () => node.openLength,
    end(): string {
      const rest = release(held.length)
      node = automaton.root
      return rest
    },
  }
}

/** Matches arrive in the order of their ends: a new one absorbs those it overlaps. */
function addMatch(regions: Region[], match: Region): void {
  let last = regions.at(-1)
  while (last && last.end > match.start) {
    regions.pop()
    // Of two with the same start the later, longer one gives the name; an earlier start wins
    // anyway.
    if (last.start < match.start) match.name = last.name
    match.start = Math.min(match.start, last.start)
    match.isShown ||= last.isShown
    last = regions.at(-1)
  }
  regions.push(match)
}

/** The first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
