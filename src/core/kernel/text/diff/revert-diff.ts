/** One line of a diff, without its sign and with its line end. */
interface DiffLine {
  sign: string
  text: string
}

interface Hunk {
  /** Its first line in the changed text, from 1. */
  start: number
  lines: DiffLine[]
}

/**
 * The text before a change, from the text after it and its unified diff; undefined if the text is no
 * longer what the diff has made.
 */
export function revertDiff(after: string, diff: string): string | undefined {
  const fresh = after.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const old: string[] = []
  let at = 0
  for (const { start, lines } of readHunks(diff)) {
    if (start < at) return undefined
    old.push(...fresh.slice(at, start))
    at = start
    for (const { sign, text } of lines) {
      if (sign !== '-' && fresh[at] !== text) return undefined
      if (sign !== '+') old.push(text)
      if (sign !== '-') at += 1
    }
  }
  return [...old, ...fresh.slice(at)].join('')
}

const hunkHead = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/

function readHunks(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const line of diff.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const head = hunkHead.exec(line)
    const hunk = hunks.at(-1)
    if (head !== null) {
      // A hunk without lines in the changed text names the line before it.
      const isEmpty = head[2] === '0'
      hunks.push({ start: Number(head[1]) - (isEmpty ? 0 : 1), lines: [] })
    } else if (line.startsWith('\\')) {
      const last = hunk?.lines.at(-1)
      if (last !== undefined) last.text = last.text.replace(/\n$/, '')
    } else if (hunk !== undefined) {
      hunk.lines.push({ sign: line.charAt(0), text: line.slice(1) })
    }
  }
  return hunks
}
