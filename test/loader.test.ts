import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

let folder: string
let crib: Crib | undefined
beforeEach(async () => {
  // A blank in the path on purpose.
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib loader ')))
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

function toolText(name: string, answer: string): string {
  return `import { defineTool, z } from 'toolcrib'
import { z as own } from 'zod'
export default defineTool({
  name: '${name}', description: 'Answers with a word, always the same one.', effect: 'read',
  inputSchema: own.object({}), outputSchema: z.object({ word: z.string() }),
  execute: (): { word: string } => ({ word: ${answer} }),
})
`
}

function open(options: { watch?: boolean } = {}): Promise<Crib> {
  return createTestCrib({ tools: [folder], ...options })
}

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 1000; turn += 1) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('It did not happen in time')
}

test('TypeScript, JavaScript and several tools in a file are found anywhere below the folder, without node_modules', async () => {
  await write('a.tool.ts', toolText('one.ts', `'ts'`))
  await write('deep/er/b.tool.mts', toolText('one.mts', `'mts'`))
  await write('c.tool.js', toolText('one.js', `'js'`).replace(': { word: string }', ''))
  await write(
    'd.tool.ts',
    `${toolText('two.first', `'1'`)}\nexport const second = defineTool({ name: 'two.second', description: 'Says two, and nothing else.', effect: 'read', inputSchema: z.object({}), execute: () => 2 })\n`,
  )
  await write('node_modules/x/e.tool.ts', 'throw new Error("not ours")')
  await write('not-a-tool.ts', 'throw new Error("not a tool file")')
  crib = await open()
  expect((await crib.tools({ source: 'code' })).map((tool) => tool.name)).toEqual([
    'one.js',
    'one.mts',
    'one.ts',
    'two.first',
    'two.second',
  ])
  expect((await crib.call('one.mts')).output).toEqual({ word: 'mts' })
})

test('tools are modules, also below a package.json that says commonjs', async () => {
  await write('package.json', '{ "type": "commonjs" }')
  await write('lib/word.ts', `export const word: string = 'typed'\n`)
  await write('a.tool.ts', `import { word } from './lib/word.ts'\n${toolText('common.ts', 'word')}`)
  await write('b.tool.js', toolText('common.js', `'plain'`).replace(': { word: string }', ''))
  crib = await open()
  expect([(await crib.call('common.ts')).output, (await crib.call('common.js')).output]).toEqual([
    { word: 'typed' },
    { word: 'plain' },
  ])
})

test.each([
  ['a syntax error', `import { defineTool } from 'toolcrib'\n\nconst x = = 3\n`, 3, /SyntaxError/],
  ['TypeScript that Node can not strip', `export const a = 1\nenum Nope { A }\n`, 2, /enum|strip/i],
  [
    'a throw at import',
    `const a = 1\n\n\nthrow new Error('no disk in drive A')\n`,
    4,
    /no disk in drive A/,
  ],
  [
    'an import that is not there',
    `import { gone } from './gone.ts'\nexport default gone\n`,
    undefined,
    /gone\.ts/,
  ],
  ['a wrong definition', toolText('Bad Name!', `'x'`), 3, /name/],
])(
  '%s is reported with file, line and reason, and the others work',
  async (...[, text, line, reason]) => {
    const file = await write('broken.tool.ts', text)
    await write('fine.tool.ts', toolText('fine.one', `'fine'`))
    crib = await open()
    const report = crib.api.loadReports().find((candidate) => candidate.file === file)
    expect(report?.error?.message).toMatch(reason)
    if (line !== undefined) expect(report?.error?.line).toBe(line)
    expect((await crib.call('fine.one')).output).toEqual({ word: 'fine' })
  },
)

test('a name that two files want goes to the first by path; the second is told who has it', async () => {
  await write('a.tool.ts', toolText('same.name', `'a'`))
  const second = await write('b.tool.ts', toolText('same.name', `'b'`))
  crib = await open()
  const report = crib.api.loadReports().find((candidate) => candidate.file === second)
  expect(report?.error?.message).toMatch(/same\.name.*a\.tool\.ts/s)
  expect((await crib.call('same.name')).output).toEqual({ word: 'a' })
})

test('a tool whose environment variable is missing is left out with a warning', async () => {
  await write(
    'env.tool.ts',
    toolText('needs.env', `'x'`).replace(
      `effect: 'read',`,
      `effect: 'read', env: ['NOT_SET_ANYWHERE'],`,
    ),
  )
  crib = await open()
  expect(crib.api.loadReports()[0]?.warnings.join()).toMatch(/NOT_SET_ANYWHERE/)
  expect((await crib.call('needs.env')).error).toMatchObject({
    code: 'secret_missing',
    message: expect.stringContaining('environment variable NOT_SET_ANYWHERE') as string,
    fix: expect.stringContaining('Set the environment variable') as string,
  })
  expect((await crib.tools({ source: 'code' })).map((tool) => tool.state)).toEqual([
    'misconfigured',
  ])
})

test('a hostile schema in a file is refused with a reason and takes nothing else down', async () => {
  const deep = `let s: object = { type: 'string' }; for (let i = 0; i < 40; i++) s = { anyOf: [s, s] }`
  await write(
    'hostile.tool.ts',
    `import { defineTool } from 'toolcrib'\n${deep}
export default defineTool({ name: 'hostile.one', description: 'Has a schema that doubles forty times.', effect: 'read', inputSchema: { type: 'object', properties: { s } }, execute: () => 1 })\n`,
  )
  await write('fine.tool.ts', toolText('fine.one', `'fine'`))
  crib = await open()
  const report = crib.api.loadReports().find(({ file }) => file.includes('hostile'))
  expect(report?.error?.message).toMatch(/schema/i)
  expect((await crib.call('fine.one')).status).toBe('completed')
})

test('a changed file, a changed import of it, a new and a removed file are seen within a second', async () => {
  await write('lib/word.ts', `export const word: string = 'before'\n`)
  await write(
    'word.tool.ts',
    `import { word } from './lib/word.ts'\n${toolText('live.word', 'word')}`,
  )
  await write('gone.tool.ts', toolText('live.gone', `'x'`))
  crib = await open({ watch: true })
  const live = crib
  const wordIs = async (word: string) => {
    const { output } = await live.call('live.word')
    return (output as { word: string }).word === word
  }
  expect(await wordIs('before')).toBe(true)

  // The best of a few: the machine may be busy.
  let bestMs = Infinity
  for (let round = 0; round < 25 && bestMs >= 1000; round += 1) {
    const changedAt = performance.now()
    await write('lib/word.ts', `export const word: string = 'after ${round}'\n`)
    await until(() => wordIs(`after ${round}`))
    bestMs = Math.min(bestMs, performance.now() - changedAt)
  }
  expect(bestMs).toBeLessThan(1000)

  await write('word.tool.ts', toolText('live.word', `'own'`))
  await until(() => wordIs('own'))
  await write('new.tool.ts', toolText('live.new', `'n'`))
  await rm(path.join(folder, 'gone.tool.ts'))
  await until(async () => {
    const names = (await live.tools({ source: 'code' })).map((tool) => tool.name)
    return JSON.stringify(names) === JSON.stringify(['live.new', 'live.word'])
  })

  // A file that breaks while it runs keeps its last working version.
  await write('word.tool.ts', 'export default = 1')
  await until(() => live.api.loadReports().some((report) => report.error !== undefined))
  expect(await wordIs('own')).toBe(true)
})

test('a file that does not load is told with its line to those who look after tools, until it is fixed', async () => {
  await write('word.tool.ts', toolText('live.word', `'fine'`))
  await write('new.tool.ts', 'export default =\n')
  crib = await open({ watch: true })
  const { api } = crib
  const owner = ownerOf()
  const files = () => api.listToolFileProblems(owner).then(({ items }) => items)
  const problemOf = (name: string) => async () =>
    (await files()).find(({ file }) => file.endsWith(name))
  expect(await problemOf('new.tool.ts')()).toMatchObject({ line: 1, tools: [] })

  await write('word.tool.ts', `${toolText('live.word', `'broken'`)}\nexport const = 1\n`)
  await until(async () => (await problemOf('word.tool.ts')()) !== undefined)
  const problem = await problemOf('word.tool.ts')()
  expect(problem).toMatchObject({ line: 9, tools: ['live.word'] })
  expect(path.isAbsolute(problem?.file ?? '')).toBe(false)
  expect((await api.findTool(owner, { name: 'live.word' })).lastWorking).toEqual({ problem })
  // Who may only call learns that it is the last working version, and nothing of the file.
  const member = { ...owner, permissions: ['tools.call'] }
  expect((await api.findTool(member, { name: 'live.word' })).lastWorking).toEqual({})
  await expect(api.listToolFileProblems(member)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await api.listToolFileProblems(ownerOf('acme'))).toEqual({ items: [] })

  await write('word.tool.ts', toolText('live.word', `'again'`))
  await rm(path.join(folder, 'new.tool.ts'))
  await until(async () => (await files()).length === 0)
  expect((await api.findTool(owner, { name: 'live.word' })).lastWorking).toBeUndefined()
  const told = async () => {
    const found: [string, unknown][] = []
    for await (const { type, data } of crib?.events() ?? []) {
      if (type.startsWith('tool.file_')) found.push([type, (data as { file: string }).file])
    }
    return found
  }
  await until(async () => (await told()).length === 3)
  const of = (name: string) => expect.stringMatching(new RegExp(`${name}$`))
  expect(await told()).toEqual([
    ['tool.file_failed', of('word.tool.ts')],
    ['tool.file_loaded', of('new.tool.ts')],
    ['tool.file_loaded', of('word.tool.ts')],
  ])
})

test('a file that ends the process is reported and left out; files that begin with a dot are not read', async () => {
  const bad = await write('a.tool.ts', 'process.exit(3)')
  await write('._b.tool.ts', 'not a program')
  await write('b.tool.ts', toolText('one.word', `'b'`))
  crib = await open()
  expect((await crib.tools()).map(({ name }) => name)).toContain('one.word')
  expect(crib.api.loadReports().filter(({ error }) => error !== undefined)).toEqual([
    {
      file: bad,
      tools: [],
      warnings: [],
      error: { message: expect.stringContaining('process.exit()'), line: 1, column: 9 },
    },
  ])
})

test('a tool that ends the process fails its call, and the server goes on', async () => {
  await write('a.tool.ts', toolText('one.word', `(process.exit(3), 'x')`))
  crib = await open()
  const { status, error } = await crib.call('one.word')
  expect({ status, message: error?.message }).toEqual({
    status: 'failed',
    message: expect.stringContaining('process.exit()'),
  })
})

test('an error in an imported file names that file and its line', async () => {
  await write('lib/word.ts', 'export const first = 1\nexport const word = = 2\n')
  await write('a.tool.ts', `import { word } from './lib/word.ts'\n${toolText('one.word', 'word')}`)
  crib = await open()
  const [report] = crib.api.loadReports()
  expect(report?.error?.message).toBe(
    `${path.join('lib', 'word.ts')}:2: SyntaxError: Expression expected`,
  )
})
