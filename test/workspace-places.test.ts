import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { workspacesSchema } from '../src/features/workspaces/config.ts'
import { openWorkspaceAccess } from '../src/features/workspaces/feature.ts'
import { createSweep } from '../src/features/workspaces/remove-unused.ts'
import { openWorkspaceDisk } from '../src/host/files/open-workspace-disk.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const keep = defineTool({
  name: 'file.keep',
  description: 'Writes a file of the workspace and lists it, for tests.',
  effect: 'write',
  inputSchema: z.object({ path: z.string() }),
  async execute({ path }, { workspace }) {
    await workspace.write(path, 'x')
    return { paths: (await workspace.list('', { limit: 10 })).entries.map((one) => one.path) }
  },
})

let folder: string
let store: OpenStores
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crib-places-'))
  store = await openTestStore()
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const openAt = (data: string, workspaces = {}) =>
  createTestCrib({ data: path.join(folder, data), store, tools: [keep], config: { workspaces } })

test('a node that can not reach a workspace says so, and one with the shared folder can', async () => {
  const one = await openAt('one')
  const other = await openAt('other')
  const third = await openAt('third', { folder: path.join(folder, 'one', 'workspaces') })
  const as = { sessionId: 'moved' }
  try {
    expect((await one.call(keep, { path: 'a' }, as)).status).toBe('completed')
    expect((await other.call(keep, { path: 'b' }, as)).error).toMatchObject({
      code: 'workspace_unavailable',
      fix: expect.stringContaining('workspaces.folder'),
    })
    expect((await third.call(keep, { path: 'c' }, as)).output).toEqual({ paths: ['a', 'c'] })
    expect(existsSync(path.join(folder, 'other', 'workspaces'))).toBe(true)
    const made = readdirSync(path.join(folder, 'other', 'workspaces'))
    expect(made.filter((name) => name.startsWith('ws_'))).toEqual([])
  } finally {
    await Promise.all([one.close(), other.close(), third.close()])
  }
})

test('a workspace whose disk is gone fails with a code, and is there again with the disk', async () => {
  const crib = await openAt('lost')
  const as = { sessionId: 'lost' }
  try {
    await crib.call(keep, { path: 'a' }, as)
    const [found] = (await crib.api.listWorkspaces(ownerOf(), { sessionId: 'lost' })).items
    const files = path.join(folder, 'lost', 'workspaces', found?.id ?? '', 'files')
    renameSync(files, `${files}.away`)
    expect((await crib.call(keep, { path: 'b' }, as)).error?.code).toBe('workspace_unavailable')
    symlinkSync('/etc', files)
    expect((await crib.call(keep, { path: 'b' }, as)).error?.code).toBe('workspace_unavailable')
    await rm(files)
    renameSync(`${files}.away`, files)
    expect((await crib.call(keep, { path: 'b' }, as)).output).toEqual({ paths: ['a', 'b'] })
  } finally {
    await crib.close()
  }
})

test('a folder that is not there is reported with its path', async () => {
  const missing = path.join(folder, 'not', 'mounted')
  const crib = await openAt('unmounted', { folder: missing })
  try {
    const result = await crib.call(keep, { path: 'a' }, { sessionId: 'unmounted' })
    expect(result.error).toMatchObject({
      code: 'workspace_unavailable',
      message: expect.stringContaining(missing),
    })
  } finally {
    await crib.close()
  }
})

test('idle workspaces and those of deleted conversations are removed, and a broken removal ends', async () => {
  const place = path.join(folder, 'swept')
  const isRoot = process.getuid?.() === 0
  const disk = () => openWorkspaceDisk({ folder: place, isRoot })
  const config = workspacesSchema.parse({ idleDays: 1 })
  const clock = { ahead: 0 }
  const warnings: string[] = []
  const parts = {
    engine: store.engine,
    host: { disk },
    rules: { findView: async () => undefined },
    config,
    now: () => store.now() + clock.ahead,
    onWarning: (message: string) => void warnings.push(message),
  }
  const { workspaces } = openWorkspaceAccess(parts)
  const isTenantOpen = async (slug: string) => slug === 'default'
  const sweep = createSweep({ ...parts, workspaces, disk, isTenantOpen })
  const open = (sessionId: string) => workspaces.open({ ...ownerOf(), sessionId })
  const kept = await open('kept')
  const orphan = await open(`conv_${'0'.repeat(32)}`)
  const broken = await open('broken')
  const row = await workspaces.store.find('default', broken.id)
  if (row !== undefined) await workspaces.store.beginRemoval(row, row.principal, 'asked')
  const left = () => readdirSync(place).filter((name) => name.startsWith('ws_'))
  expect(await sweep()).toBe(1)
  expect(left().toSorted()).toEqual([kept.id, orphan.id].toSorted())
  clock.ahead = 120_000
  expect(await sweep()).toBe(1)
  expect(left()).toEqual([kept.id])
  clock.ahead = 25 * 3_600_000
  expect(await sweep()).toBe(1)
  expect(await sweep()).toBe(0)
  expect(left()).toEqual([])
  // Folders without a row: that of a deleted tenant goes, that of another one stays.
  const ids = ['1', '2'].map((digit) => `ws_${digit.repeat(32)}`)
  for (const [index, tenant] of ['deleted', 'default'].entries()) {
    await (await disk()).create(ids[index] ?? '', { tenant, owner: undefined })
  }
  writeFileSync(path.join(place, ids[1] ?? '', 'files', 'a'), 'kept')
  // An empty one was made by a call that crashed, or is being made now.
  const [young, old, unmarked] = ['3', '4', '5'].map((digit) => `ws_${digit.repeat(32)}`)
  for (const id of [young, old]) {
    await (await disk()).create(id ?? '', { tenant: 'default', owner: undefined })
  }
  mkdirSync(path.join(place, unmarked ?? ''))
  const before = new Date(Date.now() - 7_200_000)
  for (const id of [ids[1], old, unmarked]) utimesSync(path.join(place, id ?? ''), before, before)
  expect(await sweep()).toBe(3)
  expect(left().toSorted()).toEqual([ids[1], young])
  expect(warnings).toEqual([])
})
