import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

let data: string
let crib: Crib
let key: string
let id: string
const owner = ownerOf('default')

const keep = defineTool({
  name: 'file.keep',
  description: 'Writes a file of the workspace, for tests.',
  effect: 'write',
  inputSchema: z.object({ path: z.string(), text: z.string() }),
  execute: ({ path, text }, { workspace }) => workspace.write(path, text),
})

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'crib-workspaces-'))
  const config = { workspaces: { maxBytes: 1_000_000 } }
  crib = await createTestCrib({ data, tools: [keep], config })
  const made = await crib.api.createKey(owner, { name: 'k', scopes: ['*'] })
  key = made.token
  await crib.call(
    keep,
    { path: 'page.html', text: '<script>alert(1)</script>' },
    { sessionId: 's' },
  )
  const [workspace] = (await crib.api.listWorkspaces(owner, {})).items
  id = workspace?.id ?? ''
})
afterAll(async () => {
  await crib.close()
  await rm(data, { recursive: true, force: true })
})

const ask = (method: string, place: string, more: RequestInit = {}) =>
  crib.fetch(
    new Request(`http://localhost/api/v1/workspaces/${id}/${place}`, {
      method,
      ...more,
      headers: { authorization: `Bearer ${key}`, ...more.headers },
    }),
  )
const bytes = { 'content-type': 'application/octet-stream' }

test('a file is saved by a browser, and nothing in it runs', async () => {
  const response = await ask('GET', 'file?path=page.html&download=1')
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('<script>alert(1)</script>')
  const { headers } = response
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(headers.get('content-disposition')).toContain('attachment; filename="page.html"')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a file is uploaded as the body, whole or not at all', async () => {
  const body = 'x'.repeat(300_000)
  const put = await ask('PUT', 'file?path=in/up.bin', { body, headers: bytes })
  expect([put.status, await put.json()]).toEqual([
    200,
    { path: 'in/up.bin', kind: 'file', bytes: 300_000, modifiedAt: expect.any(String) },
  ])
  const tooLarge = await ask('PUT', 'file?path=in/up.bin', {
    body: 'y'.repeat(1_000_001),
    headers: bytes,
  })
  expect([tooLarge.status, await tooLarge.json()]).toMatchObject([429, { code: 'quota_exceeded' }])
  const kept = await ask('GET', 'file?path=in/up.bin')
  expect((await kept.text()).startsWith('xxx')).toBe(true)
  const gone = await ask('DELETE', 'file?path=in/up.bin')
  expect(gone.status).toBe(204)
  expect((await ask('GET', 'file?path=in/up.bin')).status).toBe(404)
})

test('paths that lead out are refused', async () => {
  for (const bad of ['../x', '/etc/passwd', 'x/'.repeat(65), 'a\0b']) {
    const place = `file?path=${encodeURIComponent(bad)}`
    const put = await ask('PUT', place, { body: 'x', headers: bytes })
    expect([(await ask('GET', place)).status, put.status]).toEqual([422, 422])
  }
})

test('a download that is given up leaves no file open', async () => {
  const { readdirSync } = await import('node:fs')
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let turn = 0; turn < 50; turn += 1) {
    const response = await ask('GET', 'file?path=page.html')
    await response.body?.cancel()
    await ask('HEAD', 'file?path=page.html')
  }
  await expect.poll(open).toBeLessThan(before + 10)
})

test('the whole is downloaded as a zip', async () => {
  const response = await ask('GET', 'archive')
  expect(response.headers.get('content-type')).toBe('application/zip')
  const zip = new Uint8Array(await response.arrayBuffer())
  expect(Buffer.from(zip.slice(0, 2)).toString()).toBe('PK')
})
