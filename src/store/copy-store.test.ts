import { afterEach, beforeEach, expect, test } from 'vitest'
import { createId } from '../core/kernel/ids.ts'
import { checkAll } from '../features/audit/store/testing/audit-records.ts'
import { startChild } from './contract/child.ts'
import { freshTenant, settingsFor, settlementOf, startOf } from './contract/records.ts'
import { skillOf, skillsOf } from '../features/skills/store/testing/skill-records.ts'
import {
  schedulesOf,
  fireOf,
  scheduleOf,
  entryOf,
} from '../features/schedules/store/testing/records.ts'
import { createTempDatabase, createTempFolder } from './contract/temp-store.ts'
import { copyStore } from './copy-store.ts'
import type { CopyProgress } from './copy-store.ts'
import { ensurePrebuiltFolder } from './engine/pglite/prebuilt-folder.ts'
import { openStores } from '../features/open-stores.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
let database: Awaited<ReturnType<typeof createTempDatabase>>
beforeEach(async () => {
  await ensurePrebuiltFolder()
  folder = await createTempFolder()
  database = await createTempDatabase()
})
afterEach(async () => {
  await folder.remove()
  await database.drop()
})

const from = () => ({ kind: 'pglite', dataDir: folder.path }) as const
const to = () => ({ kind: 'postgres', url: database.url }) as const
const copy = (more: { key?: number; onProgress?: (progress: CopyProgress) => void } = {}) =>
  copyStore({
    from: from(),
    to: to(),
    masterKeys: settingsFor('node', more.key).masterKeys,
    onProgress: more.onProgress,
    onWarning: () => {},
  })

test('an embedded store moves to PostgreSQL completely', async () => {
  const tenant = freshTenant()
  const source = await openStores(from(), settingsFor())
  const settled = Array.from({ length: 1_200 }, () => startOf(tenant, { sessionId: 'ses' }))
  await Promise.all(settled.map((start) => source.calls.recordWhole(start, settlementOf(start))))
  const running = startOf(tenant, { idempotencyKey: 'k', input: { odd: 'a\0\ud800' } })
  await source.calls.open(running)
  await source.secrets.write({ tenant }, 'name', 'the value')
  const approval = {
    id: createId('appr'),
    reasons: ['because'],
    needed: 1,
    isRequesterBarred: false,
    expiresAt: Date.now() + 60_000,
    isAnnounced: true,
  }
  const waiting = startOf(tenant, { status: 'waiting', waitingFor: 'approval', approval })
  await source.calls.open(waiting)
  const asked = await source.approvals.find(tenant, approval.id)
  const { key, token } = await source.keys.create({ tenant, name: 'k', scopes: ['*'] })
  await source.tenants.sync([{ slug: tenant, name: 'Name' }])
  const by = { kind: 'system', id: 'test' } as const
  const rule = await source.rules.change(tenant, by, (draft) =>
    draft.put('agent', 'a', { body: { x: 1 } }),
  )
  await source.artifacts.put(tenant, running.callId, {
    text: 'é'.repeat(300_000),
    mediaType: 'text/plain',
  })
  async function* content() {
    yield new Uint8Array([1, 2, 3])
  }
  const handedIn = { tenant, principal: by, name: 'a.bin', mediaType: 'a/b', keepMs: 60_000 }
  const upload = await source.uploads.put(handedIn, content())
  await source.uploads.use(tenant, running.callId, [upload.id])
  const skill = skillOf({ 'a.bin': '\0\x01' })
  await skillsOf(source).change(tenant, by, (draft) => draft.keepVersion(skill))
  const schedule = scheduleOf(tenant)
  await schedulesOf(source).create(schedule, entryOf('schedule.created'), 10)
  const runs = await schedulesOf(source).claim([fireOf(schedule)])
  const cursor = (await source.events.read(tenant, { limit: 700 })).next
  const [rest, list, call] = [
    await source.events.read(tenant, { limit: 1000, after: cursor }),
    await source.calls.list(tenant, { limit: 300 }),
    await source.calls.find(tenant, running.callId),
  ]
  await source.audit.seal(tenant)
  await source.close()

  const progress: CopyProgress[] = []
  const counts = await copy({ onProgress: (step) => progress.push(step) })
  expect(counts).toEqual({
    tenants: 1,
    rules: 1,
    catalogue: 0,
    members: 0,
    sessions: 0,
    one_time_tokens: 0,
    secrets: 1,
    api_keys: 1,
    calls: 1_202,
    events: 1_205,
    groups: 0,
    session_flags: 0,
    found_tools: 0,
    artifacts: 2,
    approvals: 1,
    approval_decisions: 0,
    approval_rules: 0,
    approval_notices: 1,
    artifact_pieces: 4,
    uploads: 1,
    upload_uses: 1,
    schedules: 1,
    schedule_runs: 1,
    sign_in_attempts: 0,
    audit_segments: 2,
    audit_heads: 1,
    usage_days: 4,
    workspaces: 0,
    limit_notices: 0,
    mcp_known_servers: 0,
    mcp_connections: 0,
    skill_versions: 1,
    conversations: 0,
    conversation_messages: 0,
    turns: 0,
    turn_chunks: 0,
    conversation_files: 0,
    skill_files: 2,
    api_definitions: 0,
    questions: 0,
    question_people: 0,
    versions: 0,
  })
  expect(progress.filter(({ table }) => table === 'calls').at(-1)).toEqual({
    table: 'calls',
    copied: 1_202,
    total: 1_202,
  })

  const target = await openStores(to(), settingsFor())
  try {
    expect(await target.events.read(tenant, { limit: 1000, after: cursor })).toEqual(rest)
    expect(await target.calls.list(tenant, { limit: 300 })).toEqual(list)
    expect(await target.uploads.find(tenant, upload.id)).toEqual(upload)
    expect((await target.secrets.read({ tenant }, ['name'])).get('name')).toBe('the value')
    expect(await target.keys.verify(token)).toEqual(key)
    expect(await target.rules.find(tenant, 'agent', 'a')).toEqual(rule)
    const file = { skill: 'notes', version: skill.version, path: 'a.bin' }
    const read = await skillsOf(target).readFile(tenant, file, { offset: 0, limit: 9 })
    expect(Buffer.from(read!.chunk).toString()).toBe('\0\x01')
    const page = await target.artifacts.read(tenant, running.callId, { offset: 599_998, limit: 10 })
    expect(Buffer.from(page!.chunk).toString()).toBe('é')
    const again = { ...startOf(tenant, { idempotencyKey: 'k', input: { odd: 'a\0\ud800' } }) }
    expect(await target.calls.open(again)).toEqual({ kind: 'existing', call })
    expect(await target.calls.claimOrphans(10)).toMatchObject([{ callId: running.callId }])
    expect(await schedulesOf(target).list(tenant, { limit: 5 })).toEqual({
      items: [{ ...schedule, nextMs: fireOf(schedule).nextMs, lastDueMs: schedule.nextMs }],
    })
    expect((await schedulesOf(target).listRuns(tenant, schedule.id, { limit: 5 })).items).toEqual(
      runs,
    )
    expect(await target.approvals.find(tenant, approval.id)).toEqual(asked)
    expect(await target.approvals.claimOutbox(10, 1000)).toMatchObject([
      { approvalId: approval.id, callId: waiting.callId },
    ])
    const end = await target.events.end(tenant)
    expect(await target.calls.settle(settlementOf(running))).toBe(true)
    const news = await target.events.read(tenant, { limit: 10, after: end })
    expect(news.items.map(({ callId, seq }) => [callId, seq])).toEqual([[running.callId, 3]])
    expect(await checkAll(target, tenant)).toMatchObject({ segments: 2, problems: [], unsealed: 1 })
    await target.audit.seal(tenant)
    expect(await checkAll(target, tenant)).toMatchObject({ segments: 3, problems: [], unsealed: 0 })
  } finally {
    await target.close()
  }
})

test('a target that holds something is refused and left as it was', async () => {
  await (await openStores(from(), settingsFor())).close()
  const target = await openStores(to(), settingsFor('node', 9))
  await target.calls.open(startOf('t'))
  await target.close()
  await expect(copy()).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('calls'),
  })
  await (await openStores(to(), settingsFor('node', 9))).close()
})

test('with the wrong master key nothing is copied', async () => {
  await (await openStores(from(), settingsFor())).close()
  await expect(copy({ key: 9 })).rejects.toMatchObject({ code: 'wrong_master_key' })
  await copy()
})

test('entries that a killed server had only in its journal move along', async () => {
  const tenant = freshTenant()
  const child = startChild('write-calls.ts', [JSON.stringify(from()), tenant])
  await child.printed(200)
  child.process.kill('SIGKILL')
  await child.ended
  await copy()
  const target = await openStores(to(), settingsFor())
  const settled = child.lines.filter((line) => line.startsWith('settled '))
  expect(settled.length).toBeGreaterThan(50)
  for (const line of settled) {
    const call = await target.calls.find(tenant, line.slice('settled '.length))
    expect(call?.status).toBe('completed')
  }
  await target.close()
})
