import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentBounds } from '../src/app/api/agent-bounds.ts'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import type { CribApi } from '../src/features/crib-api.ts'
import { operations as declared } from '../src/features/operations.ts'
import type { CribEvent } from '../src/core/events/event.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
const other: Caller = { ...owner, agent: 'other' }
const inputSchema = z.object({ value: z.string() })
const echo = defineTool({
  name: 'probe.echo',
  description: 'Says what it was told.',
  effect: 'read',
  inputSchema,
  execute: (input) => input,
})
const pay = defineTool({
  name: 'probe.pay',
  description: 'Waits for a person.',
  effect: 'write',
  approval: 'always',
  inputSchema,
  execute: (input) => input,
})

/** All that another agent has, and what a key that is bound to `narrow` gets of it. */
let crib: Crib
let api: CribApi
let bound: Caller
const foreign = { call: '', waiting: '', approval: '', upload: '', run: '', schedule: '', key: '' }
let conversation = ''
let rule = ''

beforeAll(async () => {
  const agents = ['narrow', 'other'].map((slug) => ({
    slug,
    model: 'demo',
    tools: { allow: ['probe.*'] },
  }))
  crib = await createTestCrib({ tools: [echo, pay], config: { agents } })
  ;({ api } = crib)
  const { token } = await api.createKey(owner, { name: 'b', scopes: ['*'], agent: 'narrow' })
  bound = (await api.authenticate(token, 'api')) ?? owner
  await makeForeign()
  await api.call({ tool: 'probe.echo', input: { value: 'own' }, caller: bound, durable: true })
})
afterAll(() => crib.close())

async function makeForeign(): Promise<void> {
  const input = { value: 'PRIVATE' }
  const call = await api.call({ tool: 'probe.echo', input, caller: other, durable: true })
  const remembered = await api.call({ tool: 'probe.pay', input, caller: other })
  const remember = { for: '1h' }
  const yes = { decision: 'approve', remember } as const
  await api.decideApproval(owner, { id: remembered.approvalId ?? '', ...yes })
  rule = (await api.listApprovalRules(owner)).items[0]?.id ?? ''
  const waiting = await api.call({
    tool: 'probe.pay',
    input: { value: 'PRIVATE 2' },
    caller: other,
  })
  const content = new TextEncoder().encode('PRIVATE')
  const upload = await api.createUpload(owner, { mediaType: 'text/plain', content })
  const run = await api.startRun(owner, {
    slug: 'other',
    prompt: 'run probe.echo with value="PRIVATE"',
  })
  await api.findRun(owner, { id: run.id, wait: 60 })
  conversation = run.conversationId
  const work = { tool: 'probe.echo', input, agent: 'other' }
  const schedule = await api.createSchedule(owner, { name: 's', ...work, when: { every: '1d' } })
  const key = await api.createKey(owner, { name: 'PRIVATE', scopes: ['*'], agent: 'other' })
  await api.writeSecret(owner, { name: 'private_key', value: 'x'.repeat(20), agent: 'other' })
  Object.assign(foreign, {
    call: call.callId,
    waiting: waiting.callId,
    approval: waiting.approvalId,
    upload: upload.id,
    run: run.id,
    schedule: schedule.id,
    key: key.key.id,
  })
}

const forbidden = { code: 'forbidden' }
const notFound = { code: 'not_found' }

test('every operation says what a bound caller gets of it', () => {
  const operations = Object.keys(api)
  const listed = new Set([...Object.keys(agentBounds), ...Object.keys(declared)])
  expect(operations.filter((name) => !listed.has(name))).toEqual([])
  expect(operations.length).toBeGreaterThan(150)
})

const closed = [
  ...Object.entries(agentBounds).map(([name, agents]) => ({ name, agents, given: ['x', {}] })),
  ...Object.entries(declared).map(([name, { agents }]) => ({ name, agents, given: [{}] })),
].filter(({ agents }) => agents === 'none')

test.each(closed)('$name is refused to a bound caller', async ({ name, given }) => {
  const operation = api[name as keyof CribApi] as (...given: unknown[]) => Promise<unknown>
  await expect(operation.call(api, bound, ...given)).rejects.toMatchObject(forbidden)
})

describe('a bound key with all permissions finds nothing of another agent', () => {
  const limit = 100
  const reads: Record<string, () => Promise<unknown>> = {
    listCalls: () => api.listCalls(bound, { limit }),
    listApprovals: () => api.listApprovals(bound, { limit }),
    listApprovalRules: () => api.listApprovalRules(bound),
    readEvents: () => api.readEvents(bound, { limit: 500 }),
    ofOneCall: () => api.readEvents(bound, { callId: foreign.call, limit }),
    listAudit: () => api.listAudit(bound, { limit }),
    exportAudit: async () => {
      const entries = []
      for await (const page of await api.exportAudit(bound)) entries.push(...page)
      return entries
    },
    listConversations: () => api.listConversations(bound, { limit }),
    listRuns: () => api.listRuns(bound, { limit }),
    listSchedules: () => api.listSchedules(bound, { limit }),
    listKeys: () => api.listKeys(bound, { limit }),
    listSecrets: () => api.listSecrets(bound),
    listChatAgents: () => api.listChatAgents(bound, { limit }),
    readUsage: () => {
      const day = new Date().toISOString().slice(0, 10)
      return api.readUsage(bound, { from: day, to: day, by: 'agent' })
    },
  }
  test.each(Object.keys(reads))('%s', async (name) => {
    const text = JSON.stringify(await reads[name]?.())
    const found = ['PRIVATE', 'private_key', 'other', ...Object.values(foreign), conversation]
    expect(found.filter((one) => text.includes(one))).toEqual([])
  })

  const finds: Record<string, () => Promise<unknown>> = {
    findCall: () => api.findCall(bound, { id: foreign.call }),
    cancel: () => api.cancelCall(bound, { id: foreign.waiting }),
    rerun: () => api.rerunCall(bound, { id: foreign.call }),
    readArtifact: () => api.readArtifact(bound, { id: foreign.call, offset: 0, limit: 10 }),
    findApproval: () => api.findApproval(bound, { id: foreign.approval }),
    findUpload: () => api.findUpload(bound, { id: foreign.upload }),
    readUpload: () => api.readUpload(bound, { id: foreign.upload }),
    deleteUpload: () => api.deleteUpload(bound, { id: foreign.upload }),
    explainDecision: () => api.explainDecision(bound, { id: foreign.call }),
    findRun: () => api.findRun(bound, { id: foreign.run }),
    cancelRun: () => api.cancelRun(bound, { id: foreign.run }),
    findConversation: () => api.findConversation(bound, { id: conversation, limit }),
    deleteConversation: () => api.deleteConversation(bound, { id: conversation }),
    findSchedule: () => api.findSchedule(bound, { id: foreign.schedule }),
    deleteSchedule: () => api.deleteSchedule(bound, { id: foreign.schedule }),
    runSchedule: () => api.runSchedule(bound, { id: foreign.schedule }),
    revokeKey: () => api.revokeKey(bound, { id: foreign.key }),
    readResource: () => api.readResource(bound, { uri: `crib://calls/${foreign.call}` }),
  }
  test.each(Object.keys(finds))('%s', async (name) => {
    await expect(finds[name]?.()).rejects.toMatchObject(notFound)
  })

  const asks: Record<string, () => Promise<unknown>> = {
    'calls of another agent': () => api.listCalls(bound, { agent: 'other', limit }),
    'the audit of another agent': () => api.listAudit(bound, { agent: 'other', limit }),
    'usage of everybody': () => {
      const day = new Date().toISOString().slice(0, 10)
      return api.readUsage(bound, { from: day, to: day, by: 'principal' })
    },
    'what another would see': () => api.explain(bound, { as: 'member:owner' }),
    'what another session has seen': () => api.explain(bound, { session: conversation }),
    'a rule of another agent': () => api.revokeApprovalRule(bound, { id: rule }),
  }
  test.each(Object.keys(asks))('it may not ask for %s', async (name) => {
    await expect(asks[name]?.()).rejects.toMatchObject(forbidden)
  })
})

test('streams of a bound key have the events of its agent alone, and its own are there', async () => {
  for (const open of [api.followEvents, api.followChanges]) {
    const follower = await open(bound, { limit: 500 })
    const seen: CribEvent[] = []
    while (!seen.some(({ agent }) => agent === 'narrow')) seen.push(...(await follower.next(5_000)))
    const { callId } = await api.call({ tool: 'probe.echo', input: { value: 'x' }, caller: other })
    await api.call({ tool: 'probe.echo', input: { value: 'last' }, caller: bound, durable: true })
    while (!JSON.stringify(seen).includes('"last"')) seen.push(...(await follower.next(5_000)))
    expect(JSON.stringify(seen)).not.toContain(callId)
    expect(JSON.stringify(seen)).not.toContain('PRIVATE')
    follower.close()
  }
})
