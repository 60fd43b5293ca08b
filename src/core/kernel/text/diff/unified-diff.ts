import { type LineEdit, lineEdits } from './line-edits.ts'
import { quoteName } from './quote-name.ts'

export interface TextChange {
  path: string
  /** Undefined for a file that is new. */
  before: string | undefined
  /** Undefined for a file that is deleted. */
  after: string | undefined
}

export interface UnifiedDiff {
  /** As `diff -u` and git write it; empty if nothing changed. */
  text: string
  added: number
  removed: number
}

const context = 3

/** The difference between two versions of a text file. Line ends are part of their lines. */
export function unifiedDiff({ path, before, after }: TextChange): UnifiedDiff {
  const old = toLines(before ?? '')
  const fresh = toLines(after ?? '')
  const edits = lineEdits(old, fresh)
  const count = (kind: LineEdit['kind']) =>
    edits.filter((edit) => edit.kind === kind).reduce((sum, edit) => sum + edit.count, 0)
  const hunks = toHunks(edits)
  if (hunks.length === 0) return { text: '', added: 0, removed: 0 }
  const names = [
    before === undefined ? '--- /dev/null\n' : `--- ${quoteName(`a/${path}`)}\n`,
    after === undefined ? '+++ /dev/null\n' : `+++ ${quoteName(`b/${path}`)}\n`,
  ]
  const text = [...names, ...hunks.map((hunk) => printHunk(hunk, old, fresh))].join('')
  return { text, added: count('added'), removed: count('removed') }
}

/** With their line ends, so that a missing one at the end of the file is a difference. */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

/** Changes that are near each other, with the unchanged lines around them. */
function toHunks(edits: readonly LineEdit[]): LineEdit[][] {
  const hunks: LineEdit[][] = []
  let hunk: LineEdit[] = []
  edits.forEach((edit, index) => {
    if (edit.kind !== 'same') return void hunk.push(edit)
    const isFirst = index === 0
    const isLast = index === edits.length - 1
    if (!isFirst && !isLast && edit.count <= 2 * context) return void hunk.push(edit)
    if (!isFirst) {
      hunk.push({ ...edit, count: Math.min(context, edit.count) })
      hunks.push(hunk)
    }
    hunk = isLast ? [] : [lastLines(edit)]
  })
  if (hunk.some(({ kind }) => kind !== 'same')) hunks.push(hunk)
  return hunks.filter((one) => one.some(({ kind }) => kind !== 'same'))
}

function lastLines({ oldLine, newLine, count }: LineEdit): LineEdit {
  const skipped = Math.max(0, count - context)
  const kept = count - skipped
  return { kind: 'same', oldLine: oldLine + skipped, newLine: newLine + skipped, count: kept }
}

const signs = { same: ' ', removed: '-', added: '+' } as const

function printHunk(
  hunk: readonly LineEdit[],
  old: readonly string[],
  fresh: readonly string[],
): string {
  const first = hunk[0] ?? { oldLine: 0, newLine: 0 }
  const size = (without: LineEdit['kind']) =>
    hunk.filter(({ kind }) => kind !== without).reduce((sum, { count }) => sum + count, 0)
  const lines = hunk.flatMap(({ kind, oldLine, newLine, count }) => {
    const from = kind === 'added' ? fresh : old
    const start = kind === 'added' ? newLine : oldLine
    return from.slice(start, start + count).map((line) => `${signs[kind]}${withEnd(line)}`)
  })
  const oldRange = range(first.oldLine, size('added'))
  const newRange = range(first.newLine, size('removed'))
  return `@@ -${oldRange} +${newRange} @@\n${lines.join('')}`
}

const withEnd = (line: string) =>
  line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`

/** Lines count from 1; an empty range names the line before it. */
function range(start: number, count: number): string {
  if (count === 0) return `${start},0`
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`
}
