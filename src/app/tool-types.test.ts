import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../core/define-tool.ts'
import { createRegistry } from '../core/registry.ts'
import { createFakeApi, json } from '../doors/cli/testing/fake-api.ts'
import { runLine } from '../doors/cli/testing/run-line.ts'
import { keepToolTypes, loadToolTypes } from './tool-types.ts'
import { packs } from '../tools/packs.ts'

const tool = `import { defineTool, z } from 'toolcrib/define'
export default defineTool({
  name: 'note.add', description: 'Add a note.', effect: 'write',
  inputSchema: z.object({ text: z.string() }), outputSchema: z.object({ id: z.string() }),
  execute: () => ({ id: '1' }),
})
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib types '))
  const made = folder
  onTestFinished(() => rm(made, { recursive: true }))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, 'tools/note.tool.ts'), tool)
})

test('toolcrib types writes the types of all tools, and reports outdated ones', async () => {
  const file = path.join(folder, 'toolcrib.d.ts')
  const run = (...argv: string[]) =>
    runLine(['types', ...argv], { cwd: folder, more: { toolTypes: loadToolTypes } })
  const count = packs.flatMap(({ tools }) => tools).length + 1
  expect((await run('--check')).code).toBe(1)
  const first = await run()
  expect(first).toEqual({ code: 0, out: `✓ toolcrib.d.ts: ${count} tools\n`, err: '' })
  const text = await readFile(file, 'utf8')
  expect(text).toContain("  'note.add': {\n    input: {\n      text: string\n    }\n")
  expect(text).toContain("  'skill.read': {")
  expect((await run()).out).toBe(`✓ toolcrib.d.ts: ${count} tools, unchanged\n`)
  expect((await run('--check')).code).toBe(0)
  await writeFile(path.join(folder, 'tools/broken.tool.ts'), 'export default 1 +')
  const broken = await run()
  expect(broken.code).not.toBe(0)
  expect(broken.err).toContain('broken.tool.ts')
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('the types of a server elsewhere are written from what it offers', async () => {
  const offered = {
    name: 'far.away',
    description: 'Is elsewhere.',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  }
  const api = createFakeApi({ 'GET /offer': () => json({ mode: 'list', items: [offered] }) })
  const line = await runLine(['types', '--from-server', '--out', 'far.d.ts', '--json'], {
    ...api,
    cwd: folder,
  })
  const file = path.join(folder, 'far.d.ts')
  expect(JSON.parse(line.out)).toEqual({ file, tools: 1, changed: true })
  expect(await readFile(file, 'utf8')).toContain("'far.away': {\n    input: {\n      n: number")
})

test('dev keeps them current in a TypeScript project, and writes no file elsewhere', async () => {
  const registry = createRegistry()
  registry.register(
    defineTool({
      name: 'kept.current',
      description: 'Is there.',
      effect: 'read',
      inputSchema: z.object({}),
      execute: () => 1,
    }),
  )
  const file = path.join(folder, 'toolcrib.d.ts')
  const plain = await keepToolTypes({ cwd: folder })
  plain.update(registry)
  await plain.settled()
  await expect(stat(file)).rejects.toThrow('ENOENT')
  await writeFile(path.join(folder, 'tsconfig.json'), '{}')
  const kept = await keepToolTypes({ cwd: '/elsewhere', config: path.join(folder, 'c.ts') })
  kept.update(registry)
  await kept.settled()
  expect(await readFile(file, 'utf8')).toContain("'kept.current': {")
  const { mtimeNs } = await stat(file, { bigint: true })
  kept.update(registry)
  await kept.settled()
  expect((await stat(file, { bigint: true })).mtimeNs).toBe(mtimeNs)
  registry.remove('kept.current')
  kept.update(registry)
  await kept.settled()
  expect(await readFile(file, 'utf8')).not.toContain('kept.current')
})
