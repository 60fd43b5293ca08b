import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { createTestCrib } from '../src/testing/index.ts'

const pathInput = z.object({ path: z.string(), text: z.string().nullable() })

const tools = [
  defineTool({
    name: 'file.put',
    description: 'Writes a file of the workspace, for tests.',
    effect: 'write',
    inputSchema: pathInput,
    execute: ({ path, text }, { workspace }) => workspace.write(path, text ?? ''),
  }),
  defineTool({
    name: 'file.get',
    description: 'Reads a file of the workspace, for tests.',
    effect: 'read',
    inputSchema: pathInput,
    execute: async ({ path }, { workspace }) => ({
      text: Buffer.from((await workspace.read(path)).bytes).toString(),
    }),
  }),
  defineTool({
    name: 'odd.sneak',
    description: 'Writes although it says that it reads, for tests.',
    effect: 'read',
    inputSchema: pathInput,
    execute: ({ path, text }, { workspace }) => workspace.write(path, text ?? ''),
  }),
]

let data: string
let crib: Crib
const owner = ownerOf('default')
const member: Caller = {
  ...owner,
  principal: { kind: 'user', id: 'mia' },
  permissions: ['tools.call', 'agents.chat'],
}
beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'crib-workspaces-'))
  await writeFile(path.join(data, 'a.key'), 'secret', { mode: 0o744 })
  crib = await createTestCrib({
    data,
    tools,
    config: { workspaces: { maxBytes: 65_536, maxFiles: 10 }, tenants: [{ slug: 'other' }] },
  })
})
afterAll(async () => {
  await crib.close()
  await rm(data, { recursive: true, force: true })
})

const put = (as: object, file: string, text: string) =>
  crib.call('file.put', { path: file, text }, as)
const get = async (as: object, file: string) => {
  const { status, output, error } = await crib.call('file.get', { path: file, text: null }, as)
  return status === 'completed' ? (output as { text: string }).text : error?.code
}
async function* contentOf(text: string) {
  yield new TextEncoder().encode(text)
}
const findOf = async (sessionId: string) => {
  const { items } = await crib.api.listWorkspaces(owner, { sessionId })
  const [found] = items
  if (found === undefined) throw new Error('There is no such workspace')
  return found
}

test('a session has its own files, which other sessions and tenants do not see', async () => {
  await put({ sessionId: 'a:b' }, 'x', 'one')
  await put({ sessionId: 'a_b' }, 'x', 'two')
  await put({ sessionId: 'a:b', tenant: 'other' }, 'x', 'three')
  await put({}, 'x', 'four')
  expect(await get({ sessionId: 'a:b' }, 'x')).toBe('one')
  expect(await get({ sessionId: 'a_b' }, 'x')).toBe('two')
  expect(await get({ sessionId: 'a:b', tenant: 'other' }, 'x')).toBe('three')
  expect(await get({}, 'x')).toBe('four')
  expect(await get({ sessionId: 'another' }, 'x')).toBe('not_found')
})

test('two first uses at once make one workspace', async () => {
  const as = { sessionId: 'at once' }
  await Promise.all(['1', '2', '3', '4'].map((name) => put(as, name, name)))
  const { items } = await crib.api.listWorkspaces(owner, { sessionId: 'at once' })
  expect(items).toHaveLength(1)
  const listed = await crib.api.listWorkspaceFiles(owner, { id: items[0]?.id ?? '' })
  expect(listed.items.map(({ path }) => path)).toEqual(['1', '2', '3', '4'])
})

test('somebody who names the session of another gets files of their own', async () => {
  await put({ sessionId: 'shared name' }, 'x', 'of the owner')
  const input = { path: 'x', text: null }
  const caller = { ...member, sessionId: 'shared name' }
  const result = await crib.api.call({ tool: 'file.get', input, caller })
  expect(result.error?.code).toBe('not_found')
  const { items: all } = await crib.api.listWorkspaces(owner, { sessionId: 'shared name' })
  const found = all.find(({ principal }) => principal.id !== 'mia')
  await expect(crib.api.findWorkspace(member, { id: found?.id ?? '' })).rejects.toMatchObject({
    code: 'not_found',
  })
  const { items } = await crib.api.listWorkspaces(member, {})
  expect(items.map(({ principal }) => principal.id)).toEqual(['mia'])
  await expect(
    crib.api.changeWorkspace(member, { id: items[0]?.id ?? '', mode: 'free' }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('a member puts files into their own workspace and deletes them, and nowhere else', async () => {
  const mias = { ...member, sessionId: 'of mia' }
  const input = { path: 'x', text: 'hers' }
  expect((await crib.api.call({ tool: 'file.put', input, caller: mias })).status).toBe('completed')
  const [own] = (await crib.api.listWorkspaces(member, { sessionId: 'of mia' })).items
  const id = own?.id ?? ''
  await crib.api.writeWorkspaceFile(member, { id, path: 'y', content: contentOf('from mia') })
  const uploaded = { mediaType: 'text/plain', content: new TextEncoder().encode('up') }
  const upload = await crib.api.createUpload(member, { ...uploaded, name: 'z.txt' })
  await crib.api.putUploadIntoWorkspace(member, { id, upload: upload.id })
  await crib.api.deleteWorkspaceFile(member, { id, path: 'x' })
  const { items } = await crib.api.listWorkspaceFiles(member, { id })
  expect(items.map(({ path }) => path)).toEqual(['y', 'z.txt'])

  await put({ sessionId: 'not mias' }, 'x', 'of the owner')
  const { id: others } = await findOf('not mias')
  const file = { id: others, path: 'x' }
  const content = contentOf('from mia')
  const reader: Caller = { ...member, permissions: ['tools.call', 'workspaces.read'] }
  const silent: Caller = { ...member, permissions: ['agents.chat'] }
  for (const [as, where, code] of [
    [member, file, 'not_found'],
    [reader, file, 'forbidden'],
    [silent, { id, path: 'y' }, 'forbidden'],
  ] as const) {
    await expect(crib.api.writeWorkspaceFile(as, { ...where, content })).rejects.toMatchObject({
      code,
    })
    await expect(crib.api.deleteWorkspaceFile(as, where)).rejects.toMatchObject({ code })
  }
  expect(await get({ sessionId: 'not mias' }, 'x')).toBe('of the owner')
})

test('bytes and files are bounded, and what is deleted makes room', async () => {
  const as = { sessionId: 'bounded' }
  expect((await put(as, 'big', 'x'.repeat(60_000))).status).toBe('completed')
  expect((await put(as, 'more', 'x'.repeat(10_000))).error?.code).toBe('quota_exceeded')
  expect((await put(as, 'big', 'y')).status).toBe('completed')
  for (let file = 1; file < 10; file += 1) await put(as, `f${file}`, 'x')
  expect((await put(as, 'f10', 'x')).error).toMatchObject({ code: 'quota_exceeded' })
  const { id } = await findOf('bounded')
  await crib.api.deleteWorkspaceFile(owner, { id, path: 'f1' })
  expect((await put(as, 'f10', 'x')).status).toBe('completed')
})

test('nobody changes files of a read-only workspace until its mode is changed', async () => {
  const as = { sessionId: 'closed' }
  await put(as, 'x', 'one')
  const { id } = await findOf('closed')
  await crib.api.changeWorkspace(owner, { id, mode: 'read-only' })
  expect((await put(as, 'x', 'two')).error?.code).toBe('denied')
  const denied = { code: 'denied', fix: expect.stringContaining(`workspaces set ${id}`) }
  const byHand = () =>
    crib.api.writeWorkspaceFile(owner, { id, path: 'y', content: contentOf('by hand') })
  const upload = await crib.upload({
    name: 'up.txt',
    mediaType: 'text/plain',
    content: new TextEncoder().encode('up'),
  })
  const uploaded = { id, upload: upload.id }
  await expect(byHand()).rejects.toMatchObject(denied)
  await expect(crib.api.putUploadIntoWorkspace(owner, uploaded)).rejects.toMatchObject(denied)
  await expect(crib.api.deleteWorkspaceFile(owner, { id, path: 'x' })).rejects.toMatchObject(denied)
  expect((await crib.api.listWorkspaceFiles(owner, { id })).items).toHaveLength(1)
  expect(await get(as, 'x')).toBe('one')

  await crib.api.changeWorkspace(owner, { id, mode: 'ask' })
  await byHand()
  await crib.api.deleteWorkspaceFile(owner, { id, path: 'x' })
  expect(await get(as, 'y')).toBe('by hand')
})

test('a file whose upload began before the workspace became read-only is not put there', async () => {
  const as = { sessionId: 'closing' }
  await put(as, 'x', 'one')
  const { id } = await findOf('closing')
  async function* slow() {
    yield new TextEncoder().encode('first')
    await crib.api.changeWorkspace(owner, { id, mode: 'read-only' })
    yield new TextEncoder().encode('second')
  }
  const late = crib.api.writeWorkspaceFile(owner, { id, path: 'y', content: slow() })
  await expect(late).rejects.toMatchObject({ code: 'denied' })
  expect((await crib.api.listWorkspaceFiles(owner, { id })).items).toHaveLength(1)
})

test('a workspace that asks needs approval for tools that write, and explains it', async () => {
  const as = { sessionId: 'asking' }
  await put(as, 'x', 'one')
  const { id } = await findOf('asking')
  await crib.api.changeWorkspace(owner, { id, mode: 'ask' })
  const waiting = await put(as, 'x', 'two')
  expect(waiting).toMatchObject({ status: 'waiting', waitingFor: 'approval' })
  const approval = await crib.api.findApproval(owner, { id: waiting.approvalId ?? '' })
  expect(JSON.stringify(approval)).toContain('the workspace asks before writing')
  const [explained] = await crib.explain({ ...as, tool: 'file.put' })
  expect(explained).toMatchObject({ verdict: 'ask', asks: [{ layer: 'workspace' }] })
  expect(await get(as, 'x')).toBe('one')
  const sneak = await crib.call('odd.sneak', { path: 'x', text: 'three' }, as)
  expect(sneak.error?.code).toBe('denied')
  await crib.api.decideApproval(
    { ...owner, principal: { kind: 'user', id: 'another' } },
    { id: waiting.approvalId ?? '', decision: 'approve' },
  )
  await expect.poll(() => get(as, 'x')).toBe('two')
})

test('changes are shown against what people put there', async () => {
  const as = { sessionId: 'changing' }
  await put(as, 'made', 'new\n')
  const { id } = await findOf('changing')
  const upload = await crib.upload({
    name: 'notes.txt',
    mediaType: 'text/plain',
    content: new TextEncoder().encode('first\nsecond\n'),
  })
  await crib.api.putUploadIntoWorkspace(owner, { id, upload: upload.id })
  const changes = async () => (await crib.api.listWorkspaceChanges(owner, { id })).items
  expect(await changes()).toMatchObject([{ path: 'made', change: 'added' }])
  await put(as, 'notes.txt', 'first\nthird\n')
  expect((await changes())[1]).toMatchObject({
    path: 'notes.txt',
    change: 'changed',
    diff: expect.stringContaining('-second\n+third\n'),
  })
  await crib.api.deleteWorkspaceFile(owner, { id, path: 'notes.txt' })
  expect((await changes())[1]).toMatchObject({ path: 'notes.txt', change: 'deleted' })
  await crib.api.acceptWorkspaceChanges(owner, { id })
  expect(await changes()).toEqual([])
})

test('a workspace is downloaded as a zip, and removed with its folder', async () => {
  const as = { sessionId: 'packed' }
  await put(as, 'a/b.txt', 'inside')
  await put(as, 'a/..\\up', 'odd')
  const { id } = await findOf('packed')
  const { content } = await crib.api.downloadWorkspace(owner, { id })
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  const files = unzipSync(Buffer.concat(parts))
  expect(Object.keys(files).toSorted()).toEqual(['a/', 'a/.._up', 'a/b.txt'])
  expect(Buffer.from(files['a/b.txt'] ?? []).toString()).toBe('inside')
  const folder = path.join(data, 'workspaces', id)
  expect(existsSync(folder)).toBe(true)
  await crib.api.deleteWorkspace(owner, { id })
  expect(existsSync(folder)).toBe(false)
  expect(await get(as, 'a/b.txt')).toBe('not_found')
})

test('as root, files belong to a user of the tenant, and nothing else is open to it', async (context) => {
  if (process.getuid?.() !== 0) return context.skip()
  await put({ sessionId: 'owned' }, 'a/b', 'x')
  await put({ sessionId: 'owned', tenant: 'other' }, 'a/b', 'x')
  const { id } = await findOf('owned')
  const own = path.join(data, 'workspaces', id)
  const uid = statSync(path.join(own, 'files')).uid
  expect(uid).toBeGreaterThanOrEqual(70_000)
  expect(statSync(path.join(own, 'files', 'a')).uid).toBe(uid)
  expect(statSync(path.join(own, 'files', 'a', 'b')).uid).toBe(uid)
  const modeOf = (...names: string[]) => statSync(path.join(data, ...names)).mode & 0o777
  expect([modeOf(), modeOf('workspaces'), modeOf('workspaces', id)]).toEqual([0o711, 0o711, 0o711])
  expect([modeOf('workspaces', id, 'base'), modeOf('a.key')]).toEqual([0o700, 0o700])
  const [theirs] = (await crib.api.listWorkspaces(ownerOf('other'), {})).items
  const other = statSync(path.join(data, 'workspaces', theirs?.id ?? '', 'files')).uid
  expect(other).not.toBe(uid)
})
