import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Tool } from '../../core/kernel/tool.ts'
import { aContext } from '../../testing/a-context.ts'
import { runTool } from '../../testing/run-tool.ts'
import { deleteFile } from './delete-file.ts'
import { editFile } from './edit-file.ts'
import { moveFile } from './move-file.ts'
import { openTempWorkspace, type TempWorkspace } from './testing/temp-workspace.ts'
import { writeFile } from './write-file.ts'

const preview = async (tool: Tool, input: object, workspace: TempWorkspace) => {
  if (typeof tool.preview !== 'function') throw new Error('no preview')
  return tool.preview(input, aContext({ workspace }))
}
const undo = async (tool: Tool, input: object, run: { output: unknown; in: TempWorkspace }) => {
  if (typeof tool.undo !== 'function') throw new Error('no undo')
  return tool.undo(input, run.output as JsonValue, aContext({ workspace: run.in }))
}
const textOf = (workspace: TempWorkspace, name: string) =>
  readFile(path.join(workspace.folder, name), 'utf8')

test('a write shows its difference, and warns where it would be refused', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'one\n' })
  const input = { path: 'a.txt', content: 'two\n', overwrite: false }
  expect(await preview(writeFile, input, workspace)).toMatchObject({
    summary: 'Changes a.txt: 1 lines added, 1 removed.',
    changes: [{ target: 'a.txt', diff: expect.stringContaining('-one\n+two') as string }],
    warnings: ['a.txt exists, so the call will be refused without overwrite.'],
  })
  expect(await textOf(workspace, 'a.txt')).toBe('one\n')
})

test('an edit shows its difference, and fails as the call would', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'one\n' })
  const input = { path: 'a.txt', search: 'one', replace: '1', replaceAll: false }
  expect(await preview(editFile, input, workspace)).toMatchObject({
    changes: [{ diff: expect.stringContaining('-one\n+1') as string }],
  })
  await expect(preview(editFile, { ...input, search: 'x' }, workspace)).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('deleting a folder shows every file in it, moving both places', async () => {
  await using workspace = await openTempWorkspace({ 'b/c.txt': 'c', 'b/d.txt': 'dd' })
  expect(await preview(deleteFile, { path: 'b', recursive: true }, workspace)).toMatchObject({
    summary: 'Deletes the folder b with 2 files and folders.',
    changes: [{ target: 'b' }, { target: 'b/c.txt' }, { target: 'b/d.txt', before: '2 bytes' }],
  })
  const move = { from: 'b/c.txt', to: 'b/d.txt', overwrite: false }
  expect(await preview(moveFile, move, workspace)).toMatchObject({
    changes: [{ target: 'b/c.txt', after: 'b/d.txt' }],
    warnings: ['b/d.txt exists, so the call will be refused.'],
  })
})

test('a write, an edit and a move are undone while the file is what they made', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'one\ntwo' })
  const write = { path: 'a.txt', content: 'new\r\n', overwrite: true }
  const written = await runTool(writeFile, write, { workspace })
  await undo(writeFile, write, { output: written.output, in: workspace })
  expect(await textOf(workspace, 'a.txt')).toBe('one\ntwo')

  const edit = { path: 'a.txt', search: 'two', replace: '2', replaceAll: false }
  const edited = await runTool(editFile, edit, { workspace })
  await undo(editFile, edit, { output: edited.output, in: workspace })
  expect(await textOf(workspace, 'a.txt')).toBe('one\ntwo')

  const move = { from: 'a.txt', to: 'c/b.txt', overwrite: false }
  const moved = await runTool(moveFile, move, { workspace })
  await undo(moveFile, move, { output: moved.output, in: workspace })
  expect(await textOf(workspace, 'a.txt')).toBe('one\ntwo')

  const create = { path: 'n.txt', content: 'x\n', overwrite: false }
  const created = await runTool(writeFile, create, { workspace })
  await undo(writeFile, create, { output: created.output, in: workspace })
  await expect(textOf(workspace, 'n.txt')).rejects.toThrow('ENOENT')
})

test('a file that has changed since is left alone', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'one\n' })
  const create = { path: 'n.txt', content: 'x\n', overwrite: false }
  const created = await runTool(writeFile, create, { workspace })
  await workspace.write('n.txt', 'by hand\n', { overwrite: true })
  const run = { output: created.output, in: workspace }
  await expect(undo(writeFile, create, run)).rejects.toMatchObject({ code: 'conflict' })
  expect(await textOf(workspace, 'n.txt')).toBe('by hand\n')
  const replaced = { from: 'a.txt', to: 'b.txt', overwrite: true }
  const moved = await runTool(moveFile, replaced, { workspace })
  await expect(
    undo(moveFile, replaced, { output: moved.output, in: workspace }),
  ).rejects.toMatchObject({ code: 'conflict' })
})
