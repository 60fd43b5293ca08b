import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineEdits } from './line-edits.ts'
import { unifiedDiff } from './unified-diff.ts'

test('a changed line is shown with three lines around it', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n'
  const { text, added, removed } = unifiedDiff({
    path: 'x.txt',
    before,
    after: before.replace('e', 'E'),
  })
  expect(text).toBe('--- a/x.txt\n+++ b/x.txt\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n')
  expect([added, removed]).toEqual([1, 1])
})

test('a name with line breaks adds no lines to the diff', () => {
  const path = 'x\n@@ -1 +1 @@\n-bad\n+"good"\u001b'
  const { text } = unifiedDiff({ path, before: undefined, after: 'a\n' })
  const name = String.raw`"b/x\n@@ -1 +1 @@\n-bad\n+\"good\"\033"`
  expect(text).toBe(`--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+a\n`)
})

test('changes far apart are in hunks of their own', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index}\n`)
  const after = lines.with(3, 'x\n').with(30, 'y\n').join('')
  const { text } = unifiedDiff({ path: 'x', before: lines.join(''), after })
  expect(text.match(/^@@.*$/gm)).toEqual(['@@ -1,7 +1,7 @@', '@@ -28,7 +28,7 @@'])
})

test('new, deleted and unchanged files are told apart', () => {
  const added = unifiedDiff({ path: 'x', before: undefined, after: 'a\n' })
  expect(added.text).toBe('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n')
  const gone = unifiedDiff({ path: 'x', before: 'a\n', after: undefined })
  expect(gone.text).toBe('--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')
  expect(unifiedDiff({ path: 'x', before: 'a', after: 'a' }).text).toBe('')
})

test('a line end is part of its line', () => {
  const { text } = unifiedDiff({ path: 'x', before: 'a\r\nb', after: 'a\nb\n' })
  expect(text).toContain('-a\r\n-b\n\\ No newline at end of file\n+a\n+b\n')
})

const someText = fc
  .array(fc.constantFrom('a', 'b', 'c', '', 'long line'), { maxLength: 30 })
  .chain((lines) => fc.boolean().map((ends) => lines.join('\n') + (ends ? '\n' : '')))

test('patch turns every old text into the new one', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-diff-'))
  const file = join(folder, 'x')
  try {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        if (before === after) return
        writeFileSync(file, before)
        const { text } = unifiedDiff({ path: 'x', before, after })
        execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'], {
          cwd: folder,
          input: text,
        })
        expect(readFileSync(file, 'utf8')).toBe(after)
      }),
      { numRuns: 60 },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const someLines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })

test('edits join to both texts, and are as few as possible', () => {
  fc.assert(
    fc.property(someLines, someLines, (before, after) => {
      const edits = lineEdits(before, after)
      const side = (without: string) => edits.filter(({ kind }) => kind !== without)
      const old = side('added').flatMap((one) => before.slice(one.oldLine, one.oldLine + one.count))
      const fresh = side('removed').flatMap((one) =>
        after.slice(one.newLine, one.newLine + one.count),
      )
      expect(old).toEqual(before)
      expect(fresh).toEqual(after)
      const same = edits.filter(({ kind }) => kind === 'same')
      expect(same.reduce((sum, { count }) => sum + count, 0)).toBe(longestCommon(before, after))
    }),
  )
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let last = Array.from({ length: b.length + 1 }, () => 0)
  for (const one of a) {
    const row = [0]
    b.forEach((other, j) => {
      row.push(one === other ? (last[j] ?? 0) + 1 : Math.max(last[j + 1] ?? 0, row[j] ?? 0))
    })
    last = row
  }
  return last.at(-1) ?? 0
}

test('two large texts without a common line take no square of time', () => {
  const many = (word: string) => Array.from({ length: 60_000 }, (_, index) => `${word}${index}\n`)
  const started = performance.now()
  const { added, removed } = unifiedDiff({
    path: 'x',
    before: many('a').join(''),
    after: many('b').join(''),
  })
  expect([added, removed]).toEqual([60_000, 60_000])
  expect(performance.now() - started).toBeLessThan(5000)
})
