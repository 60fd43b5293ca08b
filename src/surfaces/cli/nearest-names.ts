/** Up to three of the names that somebody may have meant, best first. */
export function nearestNames(word: string, names: Iterable<string>): string[] {
  const wanted = word.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  return [...names]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** `Did you mean a or b?`, or nothing. */
export function didYouMean(word: string, names: Iterable<string>, prefix = ''): string | undefined {
  const nearest = nearestNames(word, names).map((name) => prefix + name)
  return nearest.length === 0 ? undefined : `Did you mean ${nearest.join(' or ')}?`
}

/** Something that starts the name counts as one slip, so `comp` finds `completion`. */
function distanceTo(word: string, name: string): number {
  if (word.length >= 3 && name.startsWith(word)) return 1
  return editDistance(word, name)
}

/** Insertions, deletions, replacements and swapped neighbours each cost one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swap = isSwapped(a.slice(i - 2, i), b.slice(j - 2, j))
        ? at(beforeLast, j - 2) + 1
        : Infinity
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost, swap))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function isSwapped(a: string, b: string): boolean {
  return a.length === 2 && a[0] === b[1] && a[1] === b[0]
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
