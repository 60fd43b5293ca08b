import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { isToolError } from '../../src/core/errors.ts'
import type { Caller } from '../../src/core/call.ts'
import { createMemoryStore, createTestCrib } from '../../src/testing/index.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const effects: string[] = []
const seen: string[] = []
const none = z.object({})

const send = defineTool({
  name: 'mail.send',
  description: 'Sends a letter.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ to: z.string() }),
  execute({ to }) {
    effects.push(to)
    return `sent to ${to}`
  },
})

/** A tool that calls others, one after the other, and says what came of it. */
function caller(
  name: string,
  more: Partial<Parameters<typeof defineTool>[0]>,
  calls: [string, object][],
) {
  return defineTool({
    name,
    description: 'Calls others.',
    effect: 'read',
    inputSchema: none,
    async execute(
      _input: object,
      { call }: { call(name: string, input: unknown): Promise<unknown> },
    ) {
      const results: unknown[] = []
      for (const [tool, input] of calls) {
        results.push(
          await call(tool, input).catch((error: unknown) => {
            if (!isToolError(error)) throw error
            seen.push(error.code)
            return `${error.code}: ${error.message}`
          }),
        )
      }
      return results
    },
    ...more,
  })
}

const digest = caller('news.digest', {}, [['mail.send', { to: 'ada' }]])
const weekly = caller('news.weekly', {}, [
  ['news.digest', {}],
  ['mail.send', { to: 'bob' }],
])
const once = caller('news.once', { effect: 'write' }, [['mail.send', { to: 'ada' }]])
const deep = caller('news.deep', {}, [['news.once', {}]])
const tools = [send, digest, weekly, once, deep]

const open: Crib[] = []
afterEach(async () => {
  effects.length = 0
  seen.length = 0
  await Promise.all(open.splice(0).map((crib) => crib.close()))
})
async function openCrib(store = createMemoryStore()): Promise<Crib> {
  const crib = await createTestCrib({ tools, store })
  open.push(crib)
  return crib
}
const pendingOf = async (crib: Crib) =>
  (await crib.api.listApprovals(owner, { status: 'pending', limit: 10 })).items
const settled = (crib: Crib, callId = '') => crib.api.findCall(owner, callId, { waitMs: 6000 })
/** Waits until somebody is asked, and answers. */
async function answer(crib: Crib, decision: 'approve' | 'reject', reason?: string) {
  for (let tries = 0; tries < 100; tries++) {
    const [first] = await pendingOf(crib)
    if (first !== undefined) return crib.api.decideApproval(owner, first.id, { decision, reason })
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  throw new Error('nobody was asked')
}

test('a tool waits in storage for the call it made, and goes on after the yes', async () => {
  const crib = await openCrib()
  const result = await crib.call('news.digest')
  expect(result).toEqual({ callId: result.callId, status: 'waiting', waitingFor: 'call' })
  expect(effects).toEqual([])
  await answer(crib, 'approve')
  const call = await settled(crib, result.callId)
  expect([call.status, call.output]).toEqual(['completed', ['sent to ada']])
  expect(effects).toEqual(['ada'])
})

test('a no reaches the tool that called as an error with its reason', async () => {
  const crib = await openCrib()
  const { callId } = await crib.call('news.digest')
  await answer(crib, 'reject', 'not today')
  const call = await settled(crib, callId)
  expect([call.status, seen]).toEqual(['completed', ['approval_rejected']])
  expect(call.output).toEqual([
    'approval_rejected: mail.send: A person rejected the call: not today',
  ])
  expect(effects).toEqual([])
})

test('two levels deep, twice: each effect happens once', async () => {
  const crib = await openCrib()
  const { callId } = await crib.call('news.weekly')
  await answer(crib, 'approve')
  await answer(crib, 'approve')
  const call = await settled(crib, callId)
  expect([call.status, call.output]).toEqual(['completed', [['sent to ada'], 'sent to bob']])
  expect(effects).toEqual(['ada', 'bob'])
})

test('a tool that may not be repeated can not wait: the call it makes is refused, on record, and says so', async () => {
  const crib = await openCrib()
  for (const tool of ['news.once', 'news.deep']) {
    seen.length = 0
    const { status } = await crib.call(tool)
    expect([status, seen]).toEqual(['completed', ['cannot_wait']])
  }
  const { items } = await crib.api.listCalls(owner, { tool: 'mail.send', limit: 10 })
  expect(items.map(({ status, error }) => [status, error?.code])).toEqual([
    ['denied', 'cannot_wait'],
    ['denied', 'cannot_wait'],
  ])
  expect(items[0]?.error?.message).toBe(
    "mail.send needs a person's approval (mail.send always needs approval), and news.once can't wait for that: it may not be run a second time",
  )
  expect([effects, await pendingOf(crib)]).toEqual([[], []])
})

test('cancelling the call that waits is an answer, too: it is not asked for again', async () => {
  const crib = await openCrib()
  const { callId } = await crib.call('news.digest')
  const [asked] = await pendingOf(crib)
  await crib.api.cancel(owner, asked?.callId ?? '')
  const call = await settled(crib, callId)
  expect([call.status, seen, await pendingOf(crib)]).toEqual(['completed', ['cancelled'], []])
})

test('cancelling the tool that waits takes back what it asked for', async () => {
  const crib = await openCrib()
  const { callId = '' } = await crib.call('news.digest')
  await crib.api.cancel(owner, callId)
  expect(await pendingOf(crib)).toEqual([])
  expect((await settled(crib, callId)).status).toBe('cancelled')
})

test('a secret that was passed down stays out of the record when the call has waited for a person', async () => {
  const letter = defineTool({
    name: 'mail.sealed',
    description: 'Sends a letter with a key.',
    effect: 'read',
    secrets: ['mail_key'],
    inputSchema: none,
    execute: (_input, { call, secrets }) =>
      call('mail.send', { to: `key ${secrets['mail_key'] ?? ''}` }),
  })
  const crib = await createTestCrib({ tools: [send, letter], store: createMemoryStore() })
  open.push(crib)
  await crib.api.writeSecret(owner, { name: 'mail_key', value: 'sk_live_4242' })
  const { callId = '' } = await crib.call('mail.sealed', {})
  const { items } = await crib.api.listApprovals(owner, { limit: 1 })
  const [{ id, callId: sent } = { id: '', callId: '' }] = items
  await crib.api.decideApproval(owner, id, { decision: 'approve' })
  const parent = await crib.api.findCall(owner, callId, { waitMs: 4000 })
  expect([parent.status, effects]).toEqual(['completed', ['key sk_live_4242']])
  expect(await crib.api.findCall(owner, sent)).toMatchObject({
    input: { to: 'key [redacted:mail_key]' },
    output: 'sent to key [redacted:mail_key]',
  })
  const events = await crib.api.readEvents(owner, { limit: 100 })
  expect(JSON.stringify([events, parent])).not.toContain('sk_live_4242')
})

/** A caller with a secret, and one that needs a person and says all it knows. */
const withKey = defineTool({
  name: 'crm.push',
  description: 'Has a key, and passes it on.',
  effect: 'read',
  secrets: [{ key: 'crm_key' }],
  inputSchema: z.object({ note: z.string() }),
  async execute({ note }, { call, secrets }) {
    seen.push(note)
    return call('crm.echo', { key: secrets['crm_key'] })
  },
})
const echo = defineTool({
  name: 'crm.echo',
  description: 'Says what it was given.',
  effect: 'read',
  approval: 'always',
  inputSchema: z.object({ key: z.string() }),
  execute: ({ key }) => `the key is ${key}`,
})

test('a call that waited hides the secrets of the call above it, and that one gets its own input again', async () => {
  const crib = await createTestCrib({ tools: [withKey, echo], storage: 'embedded' })
  open.push(crib)
  await crib.api.writeSecret(owner, { name: 'crm_key', value: 'sk_live_4242' })
  const first = await crib.call('crm.push', { note: 'with sk_live_4242' })
  const asked = await answer(crib, 'approve')
  const parent = await crib.api.findCall(owner, first.callId ?? '', { waitMs: 8000 })
  const child = await crib.api.findCall(owner, asked.callId)
  const hidden = 'the key is [redacted:crm_key]'
  expect([parent.output, child.output]).toEqual([hidden, hidden])
  expect(seen).toEqual(['with sk_live_4242', 'with sk_live_4242'])
  for await (const event of crib.events()) expect(JSON.stringify(event)).not.toContain('sk_live')
})
