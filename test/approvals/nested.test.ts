import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { isToolError, ToolError } from '../../src/core/kernel/errors.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import type { JsonValue } from '../../src/core/kernel/tool.ts'
import { createTestCrib } from '../../src/testing/index.ts'

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
async function openCrib(): Promise<Crib> {
  const crib = await createTestCrib({ tools })
  open.push(crib)
  return crib
}
const pendingOf = async (crib: Crib) =>
  (await crib.api.listApprovals(owner, { status: 'pending', limit: 10 })).items
const settled = (crib: Crib, callId = '') => crib.api.findCall(owner, { id: callId, wait: 6 })
/** Waits until somebody is asked, and answers. */
async function answer(
  crib: Crib,
  decision: 'approve' | 'reject',
  more: { reason?: string; input?: JsonValue } = {},
) {
  for (let tries = 0; tries < 100; tries++) {
    const [first] = await pendingOf(crib)
    if (first !== undefined)
      return crib.api.decideApproval(owner, { id: first.id, decision, ...more })
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  throw new Error('nobody was asked')
}

test('a tool waits in storage for a call it made, and continues after approval', async () => {
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
  await answer(crib, 'reject', { reason: 'not today' })
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

test('a tool that may not be repeated cannot wait: its call is refused and recorded with the reason', async () => {
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
  await crib.api.cancelCall(owner, { id: asked?.callId ?? '' })
  const call = await settled(crib, callId)
  expect([call.status, seen, await pendingOf(crib)]).toEqual(['completed', ['cancelled'], []])
})

test('cancelling the tool that waits takes back what it asked for', async () => {
  const crib = await openCrib()
  const { callId = '' } = await crib.call('news.digest')
  await crib.api.cancelCall(owner, { id: callId })
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
  const crib = await createTestCrib({ tools: [send, letter] })
  open.push(crib)
  await crib.api.writeSecret(owner, { name: 'mail_key', value: 'sk_live_4242' })
  const { callId = '' } = await crib.call('mail.sealed', {})
  const { items } = await crib.api.listApprovals(owner, { limit: 1 })
  const [{ id, callId: sent } = { id: '', callId: '' }] = items
  await crib.api.decideApproval(owner, { id, decision: 'approve' })
  const parent = await crib.api.findCall(owner, { id: callId, wait: 4 })
  expect([parent.status, effects]).toEqual(['completed', ['key sk_live_4242']])
  expect(await crib.api.findCall(owner, { id: sent })).toMatchObject({
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
  const crib = await createTestCrib({ tools: [withKey, echo] })
  open.push(crib)
  await crib.api.writeSecret(owner, { name: 'crm_key', value: 'sk_live_4242' })
  const first = await crib.call('crm.push', { note: 'with sk_live_4242' })
  const asked = await answer(crib, 'approve')
  const parent = await crib.api.findCall(owner, { id: first.callId ?? '', wait: 8 })
  const child = await crib.api.findCall(owner, { id: asked.callId })
  const hidden = 'the key is [redacted:crm_key]'
  expect([parent.output, child.output]).toEqual([hidden, hidden])
  expect(seen).toEqual(['with sk_live_4242', 'with sk_live_4242'])
  for await (const event of crib.events()) expect(JSON.stringify(event)).not.toContain('sk_live')
})

/** Makes these calls in its first run, those in its second, and catches whatever they throw. */
function drifting(first: [string, object][], second: [string, object][]) {
  let run = 0
  return defineTool({
    name: 'news.drift',
    description: 'Calls others, and not always the same.',
    effect: 'read',
    inputSchema: none,
    async execute(_input, { call }) {
      const results: unknown[] = []
      for (const [name, input] of run++ === 0 ? first : second) {
        results.push(await call(name, input).catch((error: unknown) => String(error)))
      }
      return results
    },
  })
}

const find = defineTool({
  name: 'mail.find',
  description: 'Finds a letter.',
  effect: 'read',
  inputSchema: z.object({ of: z.string() }),
  execute: ({ of }) => `letters of ${of}`,
})
const toAda: [string, object] = ['mail.send', { to: 'ada' }]
const ofAda: [string, object] = ['mail.find', { of: 'ada' }]

type Calls = [string, object][]
const drifts: { what: string; first: Calls; second: Calls; message: string }[] = [
  {
    what: 'a call with other input',
    first: [toAda],
    second: [['mail.send', { to: 'bob' }]],
    message: 'called mail.send with different input than before',
  },
  {
    what: 'a read with other input',
    first: [ofAda, toAda],
    second: [['mail.find', { of: 'bob' }], toAda],
    message: 'called mail.find with different input than before',
  },
  {
    what: 'a call of another tool',
    first: [toAda],
    second: [ofAda],
    message: 'called mail.find where it had called mail.send before',
  },
  ...[[ofAda], []].map((second: Calls) => ({
    what: `${second.length} calls after ${second.length + 1}`,
    first: [...second, toAda],
    second,
    message: 'did not call mail.send, which it had called before',
  })),
]

test.each(drifts)('a resumed tool that makes $what fails with the reason', async (drift) => {
  const { first, second, message } = drift
  const crib = await createTestCrib({ tools: [send, find, drifting(first, second)] })
  open.push(crib)
  const { callId } = await crib.call('news.drift')
  await answer(crib, 'approve')
  const { status, error } = await settled(crib, callId)
  expect([status, error?.code]).toEqual(['failed', 'tool_failed'])
  expect(error?.message).toBe(`When it was resumed it ${message}`)
  expect(effects).toEqual(['ada'])
})

test('an input that a person edited, and one in another order, are the same call', async () => {
  const pair = (input: object): [string, object][] => [['tools.call', { name: 'mail.send', input }]]
  const first = pair({ to: 'ada', more: 1 })
  const drift = drifting(first, pair({ more: 1, to: 'ada' }))
  const crib = await createTestCrib({ tools: [send, drift] })
  open.push(crib)
  const { callId } = await crib.call('news.drift')
  await answer(crib, 'approve', { input: { to: 'eve' } })
  const { status, output } = await settled(crib, callId)
  expect([status, output]).toEqual(['completed', ['sent to eve']])
})

test('a tool that is tried again after a failure is resumed from the calls of its last try', async () => {
  let tries = 0
  const flaky = defineTool({
    name: 'news.flaky',
    description: 'Fails once.',
    effect: 'read',
    retries: 1,
    inputSchema: none,
    async execute(_input, { call }) {
      const found = await call('mail.find', { of: 'ada' })
      if (++tries === 1) throw new ToolError('upstream_failed', 'Not now', { retryable: true })
      return [found, await call('mail.send', { to: 'ada' })]
    },
  })
  const crib = await createTestCrib({ tools: [send, find, flaky] })
  open.push(crib)
  const { callId } = await crib.call('news.flaky')
  await answer(crib, 'approve')
  const { output } = await settled(crib, callId)
  expect([output, effects]).toEqual([['letters of ada', 'sent to ada'], ['ada']])
})
