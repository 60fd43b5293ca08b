import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkTools } from '../src/app/check-tools.ts'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
let folder: string
let crib: Crib | undefined
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib documents ')))
})
afterEach(async () => {
  await crib?.close()
  crib = undefined
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}
async function open(options: { watch?: boolean } = {}): Promise<Crib> {
  crib = await createTestCrib({ tools: [folder], ...options })
  return crib
}
const yaml = (name: string, source: string) => `name: ${name}
description: Computes something, for tests of documents in files.
inputSchema: { type: object, properties: {} }
spec:
  kind: code
  source: ${source}
`
const steps = (name: string, tool: string) => ({
  name,
  description: 'Calls another tool, for tests of documents in files.',
  inputSchema: { type: 'object', properties: {} },
  spec: {
    kind: 'composition',
    steps: [{ id: 'one', tool, input: {} }],
    output: '{{steps.one.output}}',
  },
})
const code = (name: string, effect: string) => `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: '${name}', description: 'Answers from code.', effect: '${effect}',
  inputSchema: z.object({}), execute: () => 'code',
})
`

test('documents in files are tools like those of code, and follow each other', async () => {
  await write('a.tool.json', JSON.stringify(steps('files.all', 'files.mid')))
  await write('deep/b.tool.yml', JSON.stringify(steps('files.mid', 'files.end')))
  await write('c.tool.yaml', yaml('files.sum', 'return 1 + 1'))
  await write('end.tool.ts', code('files.end', 'read'))
  const { call, api } = await open({ watch: true })
  expect((await call('files.sum', {})).output).toBe(2)
  expect((await call('files.all', {})).output).toBe('code')
  const found = async () => {
    const { effect, source } = await api.findTool(owner, { name: 'files.all' })
    return [effect, source]
  }
  expect(await found()).toEqual(['read', 'code'])
  await write('end.tool.ts', code('files.end', 'write'))
  await expect.poll(found, { timeout: 10_000 }).toEqual(['write', 'code'])
})

test('a file that breaks keeps its last working version, and is reported with its place', async () => {
  await write('sum.tool.yaml', yaml('files.sum', 'return 1'))
  const { call } = await open({ watch: true })
  expect((await call('files.sum', {})).output).toBe(1)
  await write('sum.tool.yaml', yaml('files.sum', 'return ('))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await call('files.sum', {})).output).toBe(1)
  await write('sum.tool.yaml', yaml('files.sum', 'return 3'))
  await expect.poll(async () => (await call('files.sum', {})).output, { timeout: 10_000 }).toBe(3)
  await rm(path.join(folder, 'sum.tool.yaml'))
  await expect
    .poll(async () => (await call('files.sum', {})).error?.code, { timeout: 10_000 })
    .toBe('tool_not_found')
})

test('a file comes before a published document of the same name', async () => {
  const { api, call } = await open({ watch: true })
  const name = 'files.other'
  const published = steps(name, 'system.info')
  await api.createTool(owner, { document: published, publish: true })
  const file = await write('other.tool.yaml', yaml(name, 'return 7'))
  const output = async () => (await call(name, {})).output
  await expect.poll(output, { timeout: 10_000 }).toBe(7)
  const problem = async () => (await api.listAuthoredTools(owner, {})).items[0]?.problem
  expect(await problem()).toBe('a tool of another source has its name now')
  expect((await api.findToolSource(owner, { name })).source).toBe('code')
  await expect(api.saveToolDraft(owner, { name, document: published })).rejects.toMatchObject({
    code: 'name_taken',
  })
  await rm(file)
  await expect.poll(problem, { timeout: 10_000 }).toBeUndefined()
  expect(await output()).not.toBe(7)
})

const check = () =>
  checkTools({ tools: [folder], cwd: folder, data: path.join(folder, '.toolcrib') })

test('check reports every problem of a document with its pointer and line', async () => {
  await write('one.tool.yaml', yaml('files.one', 'return 1').replace('kind: code', 'kind: cod'))
  await write(
    'two.tool.yaml',
    yaml('files.two', 'return 1').replace('description:', 'descriptoin:'),
  )
  await write('typo.tool.json', JSON.stringify(steps('files.typo', 'flow.mpa'), undefined, 2))
  await write('later.tool.json', JSON.stringify(steps('files.later', 'mcp:shop:find')))
  await write('syntax.tool.yaml', 'name: [files')
  const { findings } = await check()
  const told = findings
    .filter(({ rule }) => rule === 'document')
    .map(({ file, path: at, line, severity }) => [path.basename(file), at, line, severity])
  expect(told).toEqual(
    expect.arrayContaining([
      ['one.tool.yaml', '/spec/kind', 5, 'error'],
      ['two.tool.yaml', '/descriptoin', 2, 'error'],
      ['typo.tool.json', '/spec/steps/0/tool', 13, 'error'],
      ['syntax.tool.yaml', '', 1, 'error'],
    ]),
  )
  expect(told.filter(([file]) => file === 'later.tool.json')).toEqual([])
})

test('two files of one name are reported, whichever kind they are', async () => {
  await write('a.tool.yaml', yaml('files.same', 'return 1'))
  await write('b.tool.json', JSON.stringify(steps('files.same', 'flow.map')))
  await write('c.tool.ts', code('files.both', 'read'))
  await write('d.tool.yaml', yaml('files.both', 'return 1'))
  const { findings } = await check()
  const wrong = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ file, message }) => [path.basename(file), message])
  expect(wrong).toEqual([
    ['b.tool.json', expect.stringContaining('files.same')],
    ['d.tool.yaml', expect.stringContaining('files.both')],
  ])
})

test('a file that would be huge, or is nothing, is left out alone', async () => {
  const levels = Array.from({ length: 30 }, (_, at) =>
    at === 0 ? 'a0: &a0 [x, x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}, *a${at - 1}]`,
  )
  await write('bomb.tool.yaml', levels.join('\n'))
  await write('deep.tool.yaml', '['.repeat(200_000))
  await write('large.tool.yaml', `a: ${'x'.repeat(1_100_000)}`)
  await write('empty.tool.yaml', '')
  await write('list.tool.json', '[1, 2]')
  await write('good.tool.yaml', yaml('files.good', 'return 1'))
  const { findings: all, tools } = await check()
  const findings = all.filter(({ severity }) => severity === 'error')
  const files = findings.map(({ file, severity }) => [path.basename(file), severity])
  expect(files).toEqual(
    ['bomb', 'deep', 'empty', 'large']
      .map((name) => [`${name}.tool.yaml`, 'error'])
      .concat([['list.tool.json', 'error']]),
  )
  expect(tools).toBe(1)
})
