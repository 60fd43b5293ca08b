/** Beyond these sizes a comparison would take too long; the start of the file is enough then. */
const maxChars = 1_000_000
const maxLineChars = 400
const maxComparedChars = 500_000
const shownChars = 120

/** The place in the file that is most like the searched text, with the characters that differ. */
export function describeNearest(text: string, search: string): string {
  const lines = text.slice(0, maxChars).split('\n')
  const wanted = search.replace(/\r?\n$/, '').split('\n')
  const start = findNearest(lines, wanted)
  const none = 'Nothing in the file is similar. Read it again and copy the text exactly.'
  if (start === undefined) return none
  const differing = wanted.findIndex((line, index) => line !== lines[start + index])
  const index = Math.max(0, differing)
  const found = lines[start + index]
  if (found === undefined) {
    return `The nearest text starts on line ${start + 1}, but the file ends there after ${lines.length - start} of its ${wanted.length} lines.`
  }
  if (differing === -1) {
    return `The nearest text starts on line ${start + 1}; only what surrounds it on its lines differs.`
  }
  return describeLines(start + index + 1, wanted[index] ?? '', found)
}

function describeLines(line: number, wanted: string, found: string): string {
  const at = firstDifference(wanted, found)
  const where = `The nearest text differs on line ${line}, from character ${at + 1}`
  return `${where}: the file has ${quote(found, at)} where the search has ${quote(wanted, at)}. Copy it exactly from the file.`
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/** From the difference on, with whitespace visible. */
function quote(line: string, at: number): string {
  const rest = line.slice(at, at + shownChars)
  if (rest === '') return 'the end of the line'
  const isBlank = /^\s+$/.test(rest) ? ` (whitespace, ${rest.length} characters)` : ''
  return `${JSON.stringify(rest)}${line.length > at + shownChars ? '…' : ''}${isBlank}`
}

/**
 * The line where most lines of the search fit, compared without their whitespace; with none, where
 * its longest line has the most pairs of letters in common.
 */
function findNearest(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const squeezed = lines.map(squeeze)
  const keys = wanted.map(squeeze)
  const byLine = bestByLines(squeezed, keys)
  if (byLine !== undefined) return byLine
  const longest = keys.reduce(
    (best, key, at) => (key.length > (keys[best] ?? '').length ? at : best),
    0,
  )
  const found = mostAlike(squeezed, keys[longest] ?? '')
  return found === undefined ? undefined : Math.max(0, found - longest)
}

const squeeze = (line: string) => line.slice(0, maxLineChars).replaceAll(/\s+/g, '')

/** Lines that occur often say little about the place: each counts by its length. */
function bestByLines(lines: readonly string[], keys: readonly string[]): number | undefined {
  const places = new Map<string, number[]>()
  keys.forEach((key, index) => {
    if (key.length > 2) places.set(key, [...(places.get(key) ?? []), index].slice(0, 20))
  })
  const scores = new Map<number, number>()
  lines.forEach((line, at) => {
    for (const index of places.get(line) ?? []) {
      const start = at - index
      if (start >= 0) scores.set(start, (scores.get(start) ?? 0) + line.length)
    }
  })
  return highest(scores)
}

function mostAlike(lines: readonly string[], key: string): number | undefined {
  const wanted = pairs(key)
  if (wanted.size === 0) return undefined
  const scores = new Map<number, number>()
  let left = maxComparedChars
  for (const [at, line] of lines.entries()) {
    // A line of half the length, or twice, has too few pairs in common.
    if (line.length * 2 < key.length || line.length > key.length * 3) continue
    left -= line.length
    if (left < 0) break
    const have = pairs(line)
    let common = 0
    for (const pair of wanted) if (have.has(pair)) common += 1
    const likeness = (2 * common) / (wanted.size + have.size)
    if (likeness >= 0.5) scores.set(at, likeness)
  }
  return highest(scores)
}

/** Two neighbouring characters as one number. */
function pairs(line: string): Set<number> {
  const found = new Set<number>()
  for (let at = 1; at < line.length; at += 1) {
    found.add(line.charCodeAt(at - 1) * 65_536 + line.charCodeAt(at))
  }
  return found
}

function highest(scores: ReadonlyMap<number, number>): number | undefined {
  let best: [at: number, score: number] | undefined
  for (const entry of scores) if (best === undefined || entry[1] > best[1]) best = entry
  return best?.[0]
}
