import { Readable } from 'node:stream'
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { checkTools } from '../src/app/check-tools.ts'
import { runLine } from '../src/doors/cli/testing/run-line.ts'
import type { FetchLike } from '../src/doors/cli/environment.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
let crib: Crib
let fetch: FetchLike
let cwd: string

beforeAll(async () => {
  crib = await createTestCrib({ config: { tools: [], agents: [{ slug: 'clerk' }] } })
  const { token } = await crib.api.createKey(owner, { name: 'cli', scopes: ['*'] })
  const app = createHttpApp({ api: crib.api, version: '1', limits: { maxBodyBytes: 1_000_000 } })
  fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${token}`)
    return app.fetch(new Request(url, { ...init, headers }))
  }
})
afterAll(() => crib.close())
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib commands ')))
  return () => rm(cwd, { recursive: true, force: true })
})

const line = (words: string[], more: object = {}) =>
  runLine(['tools', ...words], { fetch, cwd, ...more })
const read = (name: string) => readFile(path.join(cwd, name), 'utf8')

/** An editor: a program that changes the file it is given. */
async function editor(script: string): Promise<{ EDITOR: string }> {
  const file = path.join(cwd, 'editor.mjs')
  const text = `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
const file = process.argv[2]
const text = readFileSync(file, 'utf8')
appendFileSync(${JSON.stringify(path.join(cwd, 'seen.txt'))}, text + '=====')
const change = (from, to) => writeFileSync(file, text.replace(from, to))
${script}
`
  await writeFile(file, text)
  return { EDITOR: `"${process.execPath}" "${file}"` }
}

test.each(['http', 'prompt', 'task', 'composition', 'code'])(
  'a new tool of kind %s is a draft without mistakes, and so is its file',
  async (kind) => {
    const name = `fresh.${kind}`
    const made = await line(['new', name, '--kind', kind, '--json'])
    expect(JSON.parse(made.out)).toMatchObject({ name, draft: { revision: 1 } })
    const wrong = JSON.parse(made.out).draft.findings.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    )
    expect(wrong).toEqual([])
    expect((await line(['publish', name])).out).toContain(`Published ${name}, version 1`)
    expect((await line(['new', `file.${kind}`, '--kind', kind, '--file', cwd])).code).toBe(0)
    const { findings } = await checkTools({ tools: [cwd], cwd, data: path.join(cwd, '.toolcrib') })
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ path: at }) => at)).toEqual(['/name'])
    await rm(path.join(cwd, `file.${kind}.tool.yaml`))
  },
)

test('a tool is made of a cURL command, from a word or from stdin', async () => {
  const curl = `curl https://api.example.com/items/7 -H 'x-api-key: abcdef123456'`
  const made = await line(['new', 'curl.word', '--curl', curl])
  expect(made.out).toContain('toolcrib secrets set')
  expect(made.out + made.err).not.toContain('abcdef123456')
  const piped = await line(['new', 'curl.piped', '--curl', '-', '--json'], { stdin: curl })
  expect(JSON.parse(piped.out)).toMatchObject({
    name: 'curl.piped',
    draft: { document: { spec: { kind: 'http' } } },
  })
  expect((await line(['new', 'curl.bad', '--curl', 'wget x'])).err).toContain('not a cURL command')
})

test('a tool is made of a call on record', async () => {
  const { callId = '' } = await crib.call('system.info', {})
  const made = await line(['new', 'record.one', '--from', callId, '--json'])
  expect(JSON.parse(made.out)).toMatchObject({
    name: 'record.one',
    draft: { document: { name: 'record.one', spec: { kind: 'composition' } } },
  })
})

test('what cannot begin is said', async () => {
  const cases: [string[], string][] = [
    [['new', 'Big.Name', '--kind', 'http'], "can't be the name of a tool"],
    [['new', 'a.b'], 'Give the kind'],
    [['new', 'a.b', '--kind', 'magic'], 'not a kind of tool'],
    [['new', 'a.b', '--kind', 'code', '--curl', 'curl x'], 'Give one of'],
    [['new', 'a.b', '--from', 'call_0'], 'no call'],
    [['new', 'a.b', '--kind', 'code', '--file', 'a.yaml'], 'not loaded as a tool'],
    [['edit', 'no.such'], 'There is no tool no.such'],
    [['edit', 'system.info'], 'another source'],
    [['import', 'nothing-here'], 'could not be read'],
    [['publish', 'nothing.tool.yaml'], 'could not be read'],
    [['import', '.', '--apply', '--dry-run'], '--apply or --dry-run'],
  ]
  for (const [words, said] of cases) {
    const { code, err } = await line(words)
    expect([words.join(' '), code > 0, err]).toEqual([
      words.join(' '),
      true,
      expect.stringContaining(said),
    ])
  }
})

test('an edited tool becomes a draft with its problems, and then a version', async () => {
  await line(['new', 'shop.find', '--kind', 'code'])
  await line(['publish', 'shop.find'])
  const none = await line(['edit', 'shop.find'])
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('Set EDITOR')])
  const same = await line(['edit', 'shop.find'], { env: await editor('') })
  expect([same.code, same.err]).toEqual([0, expect.stringContaining('Nothing changed')])
  expect(await read('seen.txt')).toContain('# shop.find: version 1')

  const env = await editor("change('return { id: input.id }', 'return { found: input.id }')")
  expect((await line(['edit', 'shop.find'], { env })).out).toContain('saved')
  expect((await line(['publish', 'shop.find'])).out).toContain('version 2')

  const wrong = await editor("change('kind: code', 'kind: cod')")
  const bad = await line(['edit', 'shop.find', '--json'], { env: wrong })
  expect(bad.code).toBe(1)
  expect(JSON.parse(bad.out)).toMatchObject({
    revision: 1,
    findings: [{ path: '/spec/kind', severity: 'error', line: expect.any(Number) }],
  })
  const broken = await line(['edit', 'shop.find'], {
    env: await editor("change('name:', 'name: [')"),
  })
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('Your text is in')])
  const fails = await line(['edit', 'shop.find'], { env: { EDITOR: 'exit 3 #' } })
  expect([fails.code, fails.err]).toEqual([2, expect.stringContaining('The editor ended with 3')])
})

test('on a terminal, problems lead back to the editor with the problems in the text', async () => {
  await line(['new', 'shop.again', '--kind', 'code'])
  const env = await editor(
    "change(...(text.includes('#! ') ? ['kind: cod', 'kind: code'] : ['kind: code', 'kind: cod']))",
  )
  const stdin = Object.assign(Readable.from(['y\n']), { isTTY: true })
  const edited = await line(['edit', 'shop.again'], { env, more: { stdin } })
  expect(edited.err).toContain('Edit again?')
  const seen = (await read('seen.txt')).split('=====')
  expect(seen[1]).toMatch(/^\s*#! \d+:\d+ \/spec\/kind/)
  expect(edited.err).toContain('Nothing changed')
})

test('without a terminal a document comes on stdin', async () => {
  await line(['new', 'shop.piped', '--kind', 'code'])
  const document = {
    name: 'shop.piped',
    description: 'Comes on stdin, for a test of the command line.',
    inputSchema: { type: 'object', properties: {} },
    spec: { kind: 'code', source: 'return 5' },
  }
  const saved = await line(['edit', 'shop.piped', '-'], { stdin: JSON.stringify(document) })
  expect([saved.code, saved.out]).toEqual([0, expect.stringContaining('saved')])
  expect((await line(['edit', 'shop.piped', '-'])).err).toContain('Nothing came on stdin')
  const other = await line(['edit', 'shop.piped', '-'], { stdin: 'name: a.b' })
  expect(other.err).toContain('The document is a.b')
})

test('exported tools come back without a difference, and a plan shows every change', async () => {
  const base = {
    description: 'Goes out into a file and back, "quoted": yes.',
    inputSchema: { type: 'object', properties: { text: { type: 'string', default: '1e3' } } },
  }
  const inner = {
    ...base,
    name: 'trip.inner',
    spec: { kind: 'code', source: 'if (1) {\n\treturn `a: b`\n}\n\n' },
  }
  const outer = {
    ...base,
    name: 'trip.outer',
    spec: { kind: 'composition', steps: [{ id: 'yes', tool: 'trip.inner', input: {} }] },
  }
  for (const document of [inner, outer])
    await crib.api.createTool(owner, { document, publish: true })
  await line(['export', 'trip.inner', 'trip.outer', '--to', 'out'])
  expect(await readdir(path.join(cwd, 'out'))).toEqual([
    'trip.inner.tool.yaml',
    'trip.outer.tool.yaml',
  ])
  const plan = async (...more: string[]) =>
    JSON.parse((await line(['import', 'out', '--json', ...more])).out)
  expect((await plan('--dry-run')).plan).toMatchObject([{ change: 'same' }, { change: 'same' }])

  for (const name of ['trip.outer', 'trip.inner'])
    await crib.api.removeAuthoredTool(owner, { name })
  const fresh = await plan()
  expect(fresh).toMatchObject({
    isApplied: false,
    plan: [
      { name: 'trip.inner', change: 'new', findings: [] },
      { name: 'trip.outer', change: 'new', findings: [] },
    ],
  })
  const applied = await plan('--apply', '--note', 'Back again')
  expect(applied.published).toMatchObject([{ name: 'trip.inner' }, { name: 'trip.outer' }])
  expect((await plan()).plan).toMatchObject([{ change: 'same' }, { change: 'same' }])

  const file = path.join(cwd, 'out/trip.inner.tool.yaml')
  await writeFile(file, (await readFile(file, 'utf8')).replace('kind: code', 'kind: cod'))
  const refused = await line(['import', 'out', '--apply'])
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('Nothing is published')])
  expect(refused.err).toContain('/spec/kind')
  await writeFile(path.join(cwd, 'out/copy.tool.json'), JSON.stringify(inner))
  expect((await line(['import', 'out'])).err).toContain('are both trip.inner')
})
