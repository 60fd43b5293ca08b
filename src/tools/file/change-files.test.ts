import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTempWorkspace, type TempWorkspace } from './testing/temp-workspace.ts'
import { runTool } from '../../testing/run-tool.ts'
import { deleteFile } from './delete-file.ts'
import { editFile } from './edit-file.ts'
import { moveFile } from './move-file.ts'
import { writeFile } from './write-file.ts'

const edit = async (
  workspace: TempWorkspace,
  change: { search: string; replace: string; replaceAll?: boolean },
) => {
  const input = { path: 'a.txt', replaceAll: false, ...change }
  return (await runTool(editFile, input, { workspace })).output
}

const textOf = (workspace: TempWorkspace, name = 'a.txt') =>
  readFile(path.join(workspace.folder, name), 'utf8')

test('one part of a file is replaced, and the difference returned', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'one\ntwo\nthree\n' })
  expect(await edit(workspace, { search: 'two', replace: 'TWO' })).toEqual({
    path: 'a.txt',
    bytes: 14,
    isNew: false,
    added: 1,
    removed: 1,
    replacements: 1,
    truncated: false,
    diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
  })
  expect(await textOf(workspace)).toBe('one\nTWO\nthree\n')
})

test('a text that occurs more than once is replaced only with replaceAll', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'x\ny\nx\n' })
  await expect(edit(workspace, { search: 'x', replace: 'z' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'a.txt contains the text 2 times, on lines 1, 3',
  })
  expect(await textOf(workspace)).toBe('x\ny\nx\n')
  expect(await edit(workspace, { search: 'x', replace: 'z', replaceAll: true })).toMatchObject({
    replacements: 2,
  })
  expect(await textOf(workspace)).toBe('z\ny\nz\n')
})

test('an edit must change something', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'x\n' })
  await expect(edit(workspace, { search: 'x', replace: 'x' })).rejects.toMatchObject({
    message: 'search and replace are the same text',
  })
})

test.each([
  [
    'spaces for a tab',
    'function a() {\n\treturn 1\n}\n',
    'function a() {\n    return 1\n}',
    'The nearest text differs on line 2, from character 1: the file has "\\treturn 1" where the search has "    return 1". Copy it exactly from the file.',
  ],
  [
    'a typing error',
    'alpha beta gamma\ndelta\n',
    'alpha bata gamma',
    'The nearest text differs on line 1, from character 8: the file has "eta gamma" where the search has "ata gamma". Copy it exactly from the file.',
  ],
  [
    'a space at the end of a line',
    'first line \nsecond line\n',
    'first line\nsecond line',
    'The nearest text differs on line 1, from character 11: the file has " " (whitespace, 1 characters) where the search has the end of the line. Copy it exactly from the file.',
  ],
  [
    'nothing like it',
    'alpha\n',
    'zzzzzz',
    'Nothing in the file is similar. Read it again and copy the text exactly.',
  ],
  [
    'an empty file',
    '',
    'abc',
    'Nothing in the file is similar. Read it again and copy the text exactly.',
  ],
])(
  'an edit that matches nothing shows where the nearest text differs: %s',
  async (...[, text, search, fix]) => {
    await using workspace = await openTempWorkspace({ 'a.txt': text })
    await expect(edit(workspace, { search, replace: 'new' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'a.txt does not contain the text to replace',
      fix,
    })
  },
)

test('finding the nearest text in a long file takes no long time', async () => {
  const line = `${'lorem ipsum dolor sit amet '.repeat(12)}\n`
  await using workspace = await openTempWorkspace({ 'a.txt': line.repeat(20_000) })
  const started = performance.now()
  const search = `${line.slice(0, 300)}!\n`.repeat(500)
  await expect(edit(workspace, { search, replace: 'x' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  expect(performance.now() - started).toBeLessThan(5000)
})

test('an edit keeps the line ends and the missing end of line of a file', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'one\r\ntwo\r\nthree' })
  await edit(workspace, { search: 'one\ntwo\n', replace: '1\n2\n' })
  await edit(workspace, { search: 'three', replace: '3\n4' })
  expect(await textOf(workspace)).toBe('1\r\n2\r\n3\r\n4')
})

test('a search that is a pattern elsewhere stands for itself', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'a.*b $& $1' })
  await edit(workspace, { search: '.*', replace: "$& $1 $'" })
  expect(await textOf(workspace)).toBe("a$& $1 $'b $& $1")
})

test('a file is written with the folders above it, and replaced only on request', async () => {
  await using workspace = await openTempWorkspace()
  const write = (content: string, overwrite: boolean) =>
    runTool(writeFile, { path: 'docs/a.md', content, overwrite }, { workspace })
  expect((await write('one\n', false)).output).toMatchObject({ isNew: true, added: 1, removed: 0 })
  await expect(write('two\n', false)).rejects.toMatchObject({ code: 'conflict' })
  expect((await write('two\n', true)).output).toMatchObject({
    isNew: false,
    diff: '--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-one\n+two\n',
  })
  expect(await textOf(workspace, 'docs/a.md')).toBe('two\n')
})

test('a binary file is replaced without a difference', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': Uint8Array.from([0, 1, 2]) })
  const input = { path: 'a.txt', content: 'text', overwrite: true }
  const { output } = await runTool(writeFile, input, { workspace })
  expect(output).toMatchObject({ isNew: false, diff: '', truncated: true })
})

test('a long difference is cut after a line', async () => {
  await using workspace = await openTempWorkspace()
  const content = 'a line of text\n'.repeat(10_000)
  const input = { path: 'a.txt', content, overwrite: false }
  const { output } = await runTool(writeFile, input, { workspace })
  expect(output).toMatchObject({ added: 10_000, truncated: true })
  expect(output.diff.endsWith('a line of text\n')).toBe(true)
  expect(output.diff.length).toBeLessThanOrEqual(40_000)
})

test('files are moved and deleted, full folders only on request', async () => {
  await using workspace = await openTempWorkspace({ 'a/b.txt': 'b', 'c.txt': 'c' })
  const move = (from: string, to: string, overwrite = false) =>
    runTool(moveFile, { from, to, overwrite }, { workspace })
  expect((await move('a/b.txt', 'd/e.txt')).output).toMatchObject({ path: 'd/e.txt', bytes: 1 })
  await expect(move('c.txt', 'd/e.txt')).rejects.toMatchObject({ code: 'conflict' })
  await move('c.txt', 'd/e.txt', true)
  expect(await textOf(workspace, 'd/e.txt')).toBe('c')
  const remove = (path: string, recursive = false) =>
    runTool(deleteFile, { path, recursive }, { workspace })
  await expect(remove('d')).rejects.toMatchObject({ code: 'conflict' })
  expect((await remove('d', true)).output).toEqual({ path: 'd', isDeleted: true })
  await expect(remove('d')).rejects.toMatchObject({ code: 'not_found' })
})
