import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatApiKey, toKeyText } from '../../../../core/keys/api-key-token.ts'
import { createFakeApi, json } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const id = 'AAAAAAAAAA'
const token = formatApiKey({ id, secret: toKeyText(32, randomBytes) })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crib scan '))
})
afterEach(() => rm(folder, { recursive: true }))

test('files, folders and stdin are scanned without a server, and the key is never printed', async () => {
  await mkdir(join(folder, 'src/node_modules'), { recursive: true })
  await writeFile(join(folder, 'src/config.ts'), `// é\nconst key = '${token}'\n`)
  await writeFile(join(folder, 'src/node_modules/lib.js'), token)
  await writeFile(join(folder, 'image.png'), Buffer.concat([Buffer.alloc(10), Buffer.from(token)]))
  await writeFile(join(folder, 'notes.txt'), Buffer.from(`\ufeff${token}`, 'utf16le'))
  await symlink(join(folder, 'src'), join(folder, 'link'))
  const line = await runLine(['keys', 'scan', '.', '-', '--json'], { cwd: folder, stdin: token })
  const { findings, ...counts } = JSON.parse(line.out) as { findings: { file: string }[] }
  expect(findings.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    { file: '-', id, line: 1, column: 1 },
    { file: 'notes.txt', id, line: 1, column: 1 },
    { file: 'src/config.ts', id, line: 2, column: 14 },
  ])
  expect(counts).toEqual({ files: 3, skipped: 1, unreadable: [], isCut: false })
  expect([line.code, line.out.includes(token), line.err]).toEqual([1, false, ''])
})

test('a file without keys is clean, and what is not there is an error', async () => {
  await writeFile(join(folder, 'a.txt'), `${token.slice(0, -1)}!`)
  expect(await runLine(['keys', 'scan', 'a.txt'], { cwd: folder })).toEqual({
    code: 0,
    out: '',
    err: '✓ no keys in 1 file, 0 not text\n',
  })
  expect((await runLine(['keys', 'scan', 'b.txt'], { cwd: folder })).code).toBe(4)
  expect((await runLine(['keys', 'scan'], { cwd: folder })).code).toBe(2)
})

/** A server that knows one live key. */
function fakeServer() {
  const api = createFakeApi({
    'POST /keys/check': () => json({ items: [{ id, state: 'live', name: 'ci' }] }),
    [`DELETE /keys/${id}`]: () => new Response(null, { status: 204 }),
  })
  const env = { TOOLCRIB_URL: 'http://127.0.0.1:1', TOOLCRIB_KEY: 'crib_x' }
  return { api, env, more: { fetch: api.fetch } }
}

test('a server reports which keys are live, and they are revoked after confirmation', async () => {
  await writeFile(join(folder, 'a.txt'), `${token}\n${token}`)
  const { api, env, more } = fakeServer()
  const scan = (args: string[], stdin?: NodeJS.ReadableStream) =>
    runLine(['keys', 'scan', 'a.txt', ...args], {
      cwd: folder,
      env,
      more: { ...more, ...(stdin && { stdin }) },
    })
  const found = (state: string) =>
    `a.txt:1:1  ${id}  ci  ${state}\na.txt:2:1  ${id}  ci  ${state}\n`
  expect(await scan([])).toEqual({
    code: 1,
    out: found('live'),
    err: '✗ 2 in 1 file, 0 not text\n',
  })
  expect(api.last('/keys/check')?.body).toEqual({ tokens: [token] })
  expect((await scan(['--revoke'])).code).toBe(2)
  const answer = (text: string) => Object.assign(new PassThrough(), { isTTY: true }).end(text)
  expect((await scan(['--revoke'], answer('no\n'))).out).toBe(found('live'))
  expect(api.seen.filter(({ method }) => method === 'DELETE')).toEqual([])
  const asked = await scan(['--revoke'], answer('y\n'))
  expect(asked.err).toContain(`1 key still works: ${id}. Revoke? [y/N]`)
  expect(asked.out).toBe(found('revoked now'))
  expect((await scan(['--revoke', '--yes'])).out).toBe(found('revoked now'))
  expect(api.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
})

test('a server that does not answer leaves what was found', async () => {
  await writeFile(join(folder, 'a.txt'), token)
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { env } = fakeServer()
  const line = await runLine(['keys', 'scan', 'a.txt'], { cwd: folder, env, more: { fetch } })
  expect([line.code, line.out]).toEqual([1, `a.txt:1:1  ${id}\n`])
  expect(line.err).toContain('! The server could not check them')
})
