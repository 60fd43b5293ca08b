import { expect, test } from 'vitest'
import { openTempWorkspace } from './testing/temp-workspace.ts'
import { runTool } from '../../testing/run-tool.ts'
import { globFiles } from './glob-files.ts'
import { grepFiles } from './grep-files.ts'
import { listFiles } from './list-files.ts'

const project = {
  'src/main.ts': 'const a = 1\nexport const b = a\n',
  'src/lib/text.ts': 'export const c = 2\n',
  'README.md': '# Export\n',
}
const paths = (entries: readonly { path: string }[]) => entries.map(({ path }) => path)

test('a folder is listed, with or without what is below', async () => {
  await using workspace = await openTempWorkspace(project)
  const list = async (path: string | null, recursive: boolean, limit: number | null = null) =>
    (await runTool(listFiles, { path, recursive, limit }, { workspace })).output
  expect(paths((await list(null, false)).entries)).toEqual(['README.md', 'src'])
  expect(paths((await list('src', true)).entries)).toEqual([
    'src/lib',
    'src/lib/text.ts',
    'src/main.ts',
  ])
  expect(await list('src', true, 2)).toMatchObject({
    isPartial: true,
    hint: 'There are more: list one folder at a time, or use file.glob with a pattern like src/**/*.ts.',
  })
})

test('files are found by their path', async () => {
  await using workspace = await openTempWorkspace(project)
  const glob = async (pattern: string, path: string | null, limit: number | null = null) =>
    (await runTool(globFiles, { pattern, path, limit }, { workspace })).output
  expect(await glob('**/*.ts', null)).toMatchObject({ isPartial: false, hint: null })
  expect(paths((await glob('**/*.ts', null)).entries)).toEqual(['src/lib/text.ts', 'src/main.ts'])
  expect(paths((await glob('*.ts', 'src')).entries)).toEqual(['src/main.ts'])
  expect(await glob('**/*', null, 1)).toMatchObject({ isPartial: true })
})

test('lines are found by what is in them', async () => {
  await using workspace = await openTempWorkspace(project)
  const grep = async (pattern: string, wish: object = {}) => {
    const nothing = { path: null, files: null, ignoreCase: false, limit: null }
    return (await runTool(grepFiles, { pattern, ...nothing, ...wish }, { workspace })).output
  }
  expect(await grep('^export')).toEqual({
    matches: [
      { path: 'src/lib/text.ts', line: 1, text: 'export const c = 2' },
      { path: 'src/main.ts', line: 2, text: 'export const b = a' },
    ],
    filesRead: 3,
    isPartial: false,
    hint: null,
  })
  expect((await grep('export', { ignoreCase: true })).matches).toHaveLength(3)
  expect((await grep('export', { files: '**/main.ts' })).matches).toHaveLength(1)
  expect((await grep('const', { path: 'src/lib' })).matches).toHaveLength(1)
  expect(await grep('const', { limit: 1 })).toMatchObject({ isPartial: true })
})

test('of a very long line only the start is shown', async () => {
  await using workspace = await openTempWorkspace({ 'a.js': 'x'.repeat(1e6) })
  const input = { pattern: 'x', path: null, files: null, ignoreCase: false, limit: null }
  const { output } = await runTool(grepFiles, input, { workspace })
  expect(output.matches[0]?.text).toBe('x'.repeat(500))
})
