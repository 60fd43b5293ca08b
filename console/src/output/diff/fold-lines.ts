import type { DiffLine } from './parse-diff.ts'

/** Lines to show, or unchanged ones that are folded away until somebody opens them. */
export type DiffPiece = { lines: DiffLine[]; isFolded: boolean }

/** The number of unchanged lines shown around a change. */
const context = 3
/** Folding away fewer would save no room. */
const leastFolded = 4

/** Takes long runs of unchanged lines out of sight. */
export function foldLines(lines: readonly DiffLine[]): DiffPiece[] {
  const isNear = markNear(lines)
  const pieces: DiffPiece[] = []
  for (const [index, line] of lines.entries()) {
    const isFolded = isNear[index] !== true
    const last = pieces.at(-1)
    if (last?.isFolded === isFolded) last.lines.push(line)
    else pieces.push({ lines: [line], isFolded })
  }
  return joinShort(pieces)
}

function markNear(lines: readonly DiffLine[]): boolean[] {
  const isNear = lines.map(() => false)
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue
    for (let at = index - context; at <= index + context; at += 1) {
      if (at >= 0 && at < isNear.length) isNear[at] = true
    }
  }
  return isNear
}

function joinShort(pieces: readonly DiffPiece[]): DiffPiece[] {
  const joined: DiffPiece[] = []
  for (const { lines, isFolded } of pieces) {
    const isKept = isFolded && lines.length >= leastFolded
    const last = joined.at(-1)
    if (last !== undefined && !isKept && !last.isFolded) last.lines.push(...lines)
    else joined.push({ lines: [...lines], isFolded: isKept })
  }
  return joined
}
