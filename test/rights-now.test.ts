import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import type { MemberChange } from '../src/core/people/member.ts'
import type { CallRequest } from '../src/core/kernel/call-request.ts'
import { ToolError } from '../src/core/kernel/errors.ts'
import { createTempFolder } from '../src/store/contract/temp-store.ts'

const owner = ownerOf()
const ran: string[] = []
const outside: { url: string; token: string }[] = []
let gate = Promise.withResolvers<void>()
let reached = Promise.withResolvers<void>()
let beforeRetry = () => Promise.resolve()

const inputSchema = z.object({ tag: z.string() })
const facts = {
  description: 'Leaves a mark.',
  effect: 'write',
  idempotent: true,
  inputSchema,
} as const
const mark = defineTool({ ...facts, name: 'mark.now', execute: ({ tag }) => void ran.push(tag) })
const ask = defineTool({
  ...facts,
  name: 'mark.ask',
  approval: 'always',
  execute: ({ tag }) => void ran.push(tag),
})
const retry = defineTool({
  ...facts,
  name: 'mark.retry',
  execution: 'background',
  retries: 3,
  async execute({ tag }) {
    ran.push(tag)
    await beforeRetry()
    throw new ToolError('upstream_failed', 'not yet', { retryable: true })
  },
})
const hand = defineTool({
  ...facts,
  name: 'mark.outside',
  execution: 'external',
  execute: (_input, { completion }) => void (completion && outside.push(completion)),
})
const resume = defineTool({
  ...facts,
  name: 'mark.resume',
  async execute({ tag }, { call }) {
    await call('mark.outside', { tag })
    ran.push(tag)
  },
})
const long = defineTool({
  ...facts,
  name: 'mark.long',
  execution: 'background',
  async execute({ tag }, { call }) {
    reached.resolve()
    await gate.promise
    await call('mark.now', { tag })
  },
})

let crib: OpenCrib
let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeAll(async () => {
  folder = await createTempFolder()
  const tools = [mark, ask, retry, hand, resume, long]
  crib = await openCrib({ cwd: folder.path, data: folder.path, env: {}, tools, config: {} })
})
afterAll(async () => {
  await crib.close()
  await folder.remove()
})
beforeEach(() => {
  ran.length = 0
  gate = Promise.withResolvers()
  reached = Promise.withResolvers()
})

async function keyOf(maker: Caller, expiresAt?: Date): Promise<{ id: string; caller: Caller }> {
  const scopes = ['tools.call', 'schedules.manage']
  const { key, token } = await crib.api.createKey(maker, {
    name: 'k',
    scopes,
    expiresAt: expiresAt?.toISOString(),
  })
  const caller = await crib.api.authenticate(token, 'api')
  if (caller === undefined) throw new Error('the key does not work')
  return { id: key.id, caller }
}

let count = 0
async function member(): Promise<Caller> {
  const email = `m${(count += 1)}@x.example`
  const { id } = await crib.api.createMember(owner, { email, role: 'admin' })
  return { ...owner, principal: { kind: 'user', id } }
}

async function call(caller: Caller, tool: string, more: Partial<CallRequest> = {}) {
  const result = await crib.api.call({ tool, input: { tag: tool }, caller, ...more })
  return { callId: result.callId ?? '', approvalId: result.approvalId ?? '', status: result.status }
}

const soon = () => ({ startAt: Date.now() + 2000 })
const settled = (id: string) => crib.api.findCall(owner, { id, wait: 60 })
const revoke = (id: string) => crib.api.revokeKey(owner, { id })
const refused = (why: string) => ({
  status: 'failed',
  error: { code: 'forbidden', message: expect.stringContaining(why) as string },
})

test('a queued call ends with its key: revoked or expired', async () => {
  const one = await keyOf(owner)
  const revoked = await call(one.caller, 'mark.now', soon())
  await revoke(one.id)
  const other = await keyOf(owner, new Date(Date.now() + 1500))
  const expired = await call(other.caller, 'mark.now', soon())
  expect(await settled(revoked.callId)).toMatchObject(refused(`the key ${one.id} is revoked`))
  expect(await settled(expired.callId)).toMatchObject(refused(`the key ${other.id} has expired`))
  expect(ran).toEqual([])
})

test('it ends with the member whose key it is: removed, suspended or without the right', async () => {
  const changes = [
    ['is revoked', (id: string) => crib.api.removeMember(owner, { id })],
    ['is suspended', (id: string) => crib.api.changeMember(owner, { id, status: 'suspended' })],
    ['they lack tools.call', (id: string) => crib.api.changeMember(owner, { id, role: 'viewer' })],
  ] as const
  const calls = await Promise.all(
    changes.map(async ([why, change]) => {
      const maker = await member()
      const { caller } = await keyOf(maker)
      const { callId } = await call(caller, 'mark.now', soon())
      await change(maker.principal.id)
      return { why, callId }
    }),
  )
  for (const { why, callId } of calls) expect(await settled(callId)).toMatchObject(refused(why))
  expect(ran).toEqual([])
})

test('a waiting call of a revoked key is not approved, and explain says the same', async () => {
  const { id, caller } = await keyOf(owner)
  const { callId, approvalId } = await call(caller, 'mark.ask')
  await revoke(id)
  const yes = crib.api.decideApproval(owner, { id: approvalId, decision: 'approve' })
  await expect(yes).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining(`the key ${id} is revoked`) as string,
  })
  const { now } = await crib.api.explainDecision(owner, { id: callId })
  expect(now?.reasons.join()).toContain(`the key ${id} is revoked`)
})

test('a call that is tried again, or goes on after a wait, is looked at again', async () => {
  const one = await keyOf(owner)
  beforeRetry = async () => {
    await revoke(one.id)
  }
  const retried = await call(one.caller, 'mark.retry')
  const other = await keyOf(owner)
  const resumed = await call(other.caller, 'mark.resume', { respondAsync: true })
  await vi.waitFor(() => expect(outside).toHaveLength(1), 20_000)
  await revoke(other.id)
  const { url = '', token = '' } = outside[0] ?? {}
  const [, child = ''] = /calls\/(call_\w+)\//.exec(url) ?? []
  await crib.api.complete(child, token, async () => ({ status: 'completed', response: null }))
  expect(await settled(retried.callId)).toMatchObject(refused('is revoked'))
  expect(await settled(resumed.callId)).toMatchObject(refused('is revoked'))
  expect(ran).toEqual(['mark.retry'])
})

test('a call that runs for long calls nothing more for a revoked key', async () => {
  const { id, caller } = await keyOf(owner)
  const { callId } = await call(caller, 'mark.long')
  await reached.promise
  await revoke(id)
  const { requestedAt } = await crib.api.findCall(owner, { id: callId })
  await vi.waitFor(() => expect(Date.now() - Date.parse(requestedAt)).toBeGreaterThan(1000), 60_000)
  gate.resolve()
  expect(await settled(callId)).toMatchObject(refused('is revoked'))
  expect(ran).toEqual([])
})

test('a schedule runs no longer than the key that wrote it', async () => {
  const { id, caller } = await keyOf(owner)
  const schedule = await crib.api.createSchedule(caller, {
    name: 's',
    tool: 'mark.now',
    input: { tag: 'scheduled' },
    when: { every: '1d' },
    retries: 0,
  })
  await revoke(id)
  const run = await crib.api.runSchedule(owner, { id: schedule.id })
  expect(run.error).toMatchObject({ code: 'forbidden' })
  expect(ran).toEqual([])
})

test('a key does no more than its member may do now, and rests while they are suspended', async () => {
  const maker = await member()
  const { key, token } = await crib.api.createKey(maker, { name: 'k', scopes: ['*'] })
  expect(key.owner).toEqual({ tenant: 'default', id: maker.principal.id })
  const held = async () => (await crib.api.authenticate(token, 'api'))?.permissions
  const change = (to: Pick<MemberChange, 'role' | 'status'>) =>
    crib.api.changeMember(owner, { id: maker.principal.id, ...to })
  expect(await held()).toEqual(['*'])
  await change({ role: 'member' })
  await vi.waitFor(async () => expect(await held()).toEqual(['tools.call', 'agents.chat']), 20_000)
  await change({ status: 'suspended' })
  await vi.waitFor(async () => expect(await held()).toBeUndefined(), 20_000)
  await change({ status: 'active', role: 'admin' })
  await vi.waitFor(async () => expect(await held()).toEqual(['*']), 20_000)
})
