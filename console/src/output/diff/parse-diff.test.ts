import { expect, test } from 'vitest'
import { foldLines } from './fold-lines.ts'
import { parseDiff } from './parse-diff.ts'
import type { DiffLine } from './parse-diff.ts'

const sample = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function one()
 same
--- gone
+++ came
 end
\\ No newline at end of file
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
diff --git a/pic.png b/pic.png
new file mode 100644
Binary files /dev/null and b/pic.png differ
diff --git a/gone.md b/gone.md
deleted file mode 100644
--- a/gone.md
+++ /dev/null
@@ -1 +0,0 @@
-bye
`

test('a diff of git is read file by file, with the numbers of its lines', () => {
  const files = parseDiff(sample)
  expect(files.map(({ path, change, added, removed }) => [path, change, added, removed])).toEqual([
    ['src/a.ts', 'changed', 1, 1],
    ['new.txt', 'renamed', 0, 0],
    ['pic.png', 'binary', 0, 0],
    ['gone.md', 'deleted', 0, 1],
  ])
  expect(files[0]?.hunks).toEqual([
    {
      place: 'function one()',
      lines: [
        { kind: 'same', text: 'same', before: 1, after: 1 },
        // Inside a hunk the counts decide, so these lines do not start a file.
        { kind: 'removed', text: '-- gone', before: 2 },
        { kind: 'added', text: '++ came', after: 2 },
        { kind: 'same', text: 'end', before: 3, after: 3 },
        { kind: 'note', text: 'No newline at end of file' },
      ],
    },
  ])
  expect(files[1]?.from).toBe('old.txt')
})

test('a diff without git, of a new file, is read as well', () => {
  const [file] = parseDiff('--- /dev/null\n+++ b/x.txt\t2026-01-01\n@@ -0,0 +1,2 @@\n+a\n+b\n')
  expect(file).toMatchObject({ path: 'x.txt', change: 'added', added: 2, removed: 0 })
})

test.each(['', 'hello\nworld', '+ a list\n- of things', '@@ -1 +1 @@\n-a\n+b'])(
  '%j is not a diff',
  (text) => {
    expect(parseDiff(text)).toEqual([])
  },
)

test('two files without git heads are two files', () => {
  const one = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'
  expect(parseDiff(one + one.replaceAll('/x', '/y')).map(({ path }) => path)).toEqual(['x', 'y'])
})

const same = (count: number): DiffLine[] =>
  Array.from({ length: count }, () => ({ kind: 'same', text: 'x' }))

test('long runs of unchanged lines are folded, short ones are not', () => {
  const lines: DiffLine[] = [...same(10), { kind: 'added', text: 'y' }, ...same(5)]
  expect(foldLines(lines).map(({ isFolded, lines }) => [isFolded, lines.length])).toEqual([
    [true, 7],
    [false, 9],
  ])
})
