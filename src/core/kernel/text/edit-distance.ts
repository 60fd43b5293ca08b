/** Insertions, deletions, replacements and swapped neighbours each cost one. */
export function editDistance(a: string, b: string): number {
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
