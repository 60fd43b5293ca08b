import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import type { ConfigInput } from '../../src/core/typing/config-input.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { CallContext } from '../../src/core/kernel/call.ts'
import { ToolError } from '../../src/core/kernel/errors.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

const owner = ownerOf()
const none = z.object({})
const sent: string[] = []
const gate = { open: (): void => undefined }

function reader(name: string, execute: (input: object, context: CallContext) => unknown) {
  return defineTool({
    name,
    description: 'Reads something.',
    effect: 'read',
    inputSchema: none,
    execute,
  })
}

const send = defineTool({
  name: 'mail.send',
  description: 'Sends a letter.',
  effect: 'write',
  openWorld: true,
  idempotent: true,
  inputSchema: z.object({ to: z.string().default('ada') }),
  execute({ to }) {
    sent.push(to)
    return `sent to ${to}`
  },
})
const tools = [
  send,
  reader('wiki.fetch', () => 'a page'),
  reader('crm.find', () => 'a customer'),
  reader('crm.broken', () => {
    throw new ToolError('upstream_failed', 'gone')
  }),
  reader('crm.slow', () => new Promise((resolve) => (gate.open = () => resolve('at last')))),
  reader('crm.streamed', async function* () {
    yield 'a part'
    yield 'all'
  }),
  reader('plain.read', () => 'nothing special'),
  defineTool({
    name: 'own.page',
    description: 'Reads a page, as its author says.',
    effect: 'read',
    labels: { reads: ['untrusted'] },
    inputSchema: none,
    execute: () => 'a page',
  }),
  reader('news.digest', async (_input, { call }) => {
    await call('wiki.fetch', {})
    await call('crm.find', {})
    return call('mail.send', { to: 'digest' })
  }),
  reader('crm.report', async (_input, { call }) => {
    await call('wiki.fetch', {})
    return call('mail.send', { to: 'report' })
  }),
]
const labels: ConfigInput['labels'] = {
  'wiki.*': { reads: ['untrusted'] },
  'crm.*': { reads: ['private'] },
}

let crib: Crib
afterEach(async () => {
  sent.length = 0
  await crib.close()
})

async function open(given?: OpenStores): Promise<OpenStores> {
  const store = given ?? (await freshStore())
  const config = {
    labels,
    tenants: [{ slug: 'acme' }],
    agents: [{ slug: 'helper', tools: { allow: ['*'] } }],
  }
  crib = await createTestCrib({ tools, config, store })
  return store
}

const inSession = (sessionId: string) => ({ sessionId })
const settled = (callId = '') => crib.api.findCall(owner, { id: callId, wait: 5 })

/** A session that has seen both, with the calls that brought them. */
async function seeBoth(sessionId: string) {
  const page = await crib.call('wiki.fetch', {}, inSession(sessionId))
  const customer = await crib.call('crm.find', {}, inSession(sessionId))
  return { untrusted: page.callId, private: customer.callId }
}

async function typesOf(sessionId: string): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of crib.events({ sessionId })) {
    if (type.startsWith('session.')) types.push(type)
  }
  return types
}

test('a session asks before an outside effect once it has seen both kinds, and names the calls', async () => {
  await open()
  const page = await crib.call('wiki.fetch', {}, inSession('s'))
  expect((await crib.call('mail.send', {}, inSession('s'))).status).toBe('completed')
  const customer = await crib.call('crm.find', {}, inSession('s'))
  const reason = `the session has seen untrusted data (wiki.fetch, ${page.callId}) and private data (crm.find, ${customer.callId}), and mail.send has an external effect`
  const asked = await crib.call('mail.send', {}, inSession('s'))
  expect(asked).toMatchObject({ status: 'waiting', waitingFor: 'approval' })
  const call = await crib.api.findCall(owner, { id: asked.callId ?? '' })
  expect(call.decision).toEqual({
    verdict: 'ask',
    layer: 'data-flow',
    rule: reason,
    reasons: [reason],
  })
  expect(sent).toEqual(['ada'])
  await crib.api.decideApproval(owner, { id: asked.approvalId ?? '', decision: 'approve' })
  expect((await settled(asked.callId)).output).toBe('sent to ada')
  // Other sessions, and tools without an effect outside, are as they were.
  expect((await crib.call('mail.send', {}, inSession('t'))).status).toBe('completed')
  expect((await crib.call('plain.read', {}, inSession('s'))).status).toBe('completed')
  expect(await typesOf('s')).toEqual(['session.flagged', 'session.flagged'])
})

test('whatever the outcome, and before the first part of the output, the flag is there', async () => {
  const { sessionFlags } = await open()
  const kinds = async (sessionId: string) =>
    (await sessionFlags.read('default', `session:${sessionId}`)).map(({ kind }) => kind)
  expect((await crib.call('crm.broken', {}, inSession('a'))).status).toBe('failed')
  expect(await kinds('a')).toEqual(['private'])
  const early: Promise<string[]>[] = []
  const onOutput = () => void early.push(kinds('b'))
  await crib.call('crm.streamed', {}, { ...inSession('b'), onOutput })
  expect(await early[0]).toEqual(['private'])
  // A call that never ran has shown nothing.
  await crib.call('crm.find', 'no object', inSession('c'))
  expect(await kinds('c')).toEqual([])
})

test('a reader that still runs counts: the flags are up when its tool is entered', async () => {
  await open()
  await crib.call('wiki.fetch', {}, inSession('s'))
  const reading = crib.call('crm.slow', {}, inSession('s'))
  while ((await crib.api.listSessionFlags(owner, { sessionId: 's' })).items.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  expect((await crib.call('mail.send', {}, inSession('s'))).status).toBe('waiting')
  gate.open()
  expect((await reading).output).toBe('at last')
})

test('a chain of nested calls without a session is one place, and is resumed after the yes', async () => {
  await open()
  const outer = await crib.call('news.digest')
  expect(outer).toMatchObject({ status: 'waiting', waitingFor: 'call' })
  const { items } = await crib.api.listApprovals(owner, { status: 'pending', limit: 10 })
  expect(items.map(({ tool }) => tool)).toEqual(['mail.send'])
  expect(sent).toEqual([])
  await crib.api.decideApproval(owner, { id: items[0]?.id ?? '', decision: 'approve' })
  expect((await settled(outer.callId)).output).toBe('sent to digest')
  expect(sent).toEqual(['digest'])
  // The next chain has a past of its own.
  expect((await crib.call('mail.send')).status).toBe('completed')
})

test('work that a chain starts without waiting for it has seen what the chain has', async () => {
  await open()
  const steps = [
    { id: 'page', tool: 'wiki.fetch', input: {} },
    { id: 'who', tool: 'crm.find', input: {} },
    {
      id: 'send',
      tool: 'flow.start',
      input: { tool: 'mail.send', input: { to: '{{steps.who.output}}{{steps.page.output}}' } },
    },
  ]
  const document = {
    name: 'made.digest',
    description: 'Reads both kinds, and starts a letter.',
    inputSchema: { type: 'object', properties: {} },
    spec: { kind: 'composition', steps, output: '{{steps.send.output.callId}}' },
  }
  await crib.api.createTool(owner, { document, publish: true })
  const result = await crib.call('made.digest', {})
  expect(result.status).toBe('completed')
  const { status, waitingFor } = await settled(result.output as string)
  expect({ status, waitingFor, sent }).toEqual({
    status: 'waiting',
    waitingFor: 'approval',
    sent: [],
  })
})

test('what the root of a chain reads itself counts for what it calls', async () => {
  await open()
  expect(await crib.call('crm.report')).toMatchObject({ status: 'waiting', waitingFor: 'call' })
  expect(sent).toEqual([])
})

test('tools without labels and effects outside, and calls that stand alone, cost nothing', async () => {
  const store = await freshStore()
  const asked: string[] = []
  const { read, raise } = store.sessionFlags
  Object.assign(store.sessionFlags, {
    read: (...of: Parameters<typeof read>) => (asked.push('read'), read(...of)),
    raise: (...of: Parameters<typeof raise>) => (asked.push('raise'), raise(...of)),
  })
  await open(store)
  await crib.call('plain.read', {}, inSession('s'))
  await crib.call('mail.send')
  await crib.call('wiki.fetch')
  expect(asked).toEqual([])
  await crib.call('wiki.fetch', {}, inSession('s'))
  await crib.call('mail.send', {}, inSession('s'))
  expect(asked).toEqual(['read', 'raise', 'read'])
  await crib.call('wiki.fetch', {}, inSession('s'))
  expect(asked.slice(3)).toEqual(['read'])
})

test('a remembered yes holds for the flags it was given to, and not for those before or elsewhere', async () => {
  await open()
  const remember = { for: '1h', match: 'any-input' } as const
  const yes = async (approvalId = '') =>
    crib.api.decideApproval(owner, { id: approvalId, decision: 'approve', remember })
  await seeBoth('s')
  await seeBoth('t')
  const first = await crib.call('mail.send', {}, inSession('s'))
  await yes(first.approvalId)
  await settled(first.callId)
  expect((await crib.call('mail.send', {}, inSession('s'))).status).toBe('completed')
  expect((await crib.call('mail.send', {}, inSession('t'))).status).toBe('waiting')
  await crib.api.clearSessionFlags(owner, { sessionId: 's' })
  await seeBoth('s')
  expect((await crib.call('mail.send', {}, inSession('s'))).status).toBe('waiting')
})

test('a call that was queued before its session had seen both does not run after', async () => {
  await open()
  const queued = await crib.call('mail.send', {}, { ...inSession('s'), delay: 1 })
  expect(queued.status).toBe('queued')
  const { untrusted } = await seeBoth('s')
  const { status, error } = await settled(queued.callId)
  expect([status, error?.code]).toEqual(['failed', 'denied'])
  expect(error?.message).toContain(`untrusted data (wiki.fetch, ${untrusted})`)
  expect(sent).toEqual([])
})

test('who joins a call of another session by its key sees what it has read', async () => {
  await open()
  const key = { idempotencyKey: 'k' }
  const { callId } = await crib.call('crm.find', {}, { ...inSession('s'), ...key })
  await crib.call('crm.find', {}, { ...inSession('t'), ...key })
  expect(await crib.api.listSessionFlags(owner, { sessionId: 't' })).toMatchObject({
    items: [{ kind: 'private', callId }],
  })
})

test('without a place to keep the flag the tool is not entered', async () => {
  const store = await freshStore()
  await open(store)
  Object.assign(store.sessionFlags, { raise: () => Promise.reject(new Error('disk full')) })
  const { status, error } = await crib.call('crm.streamed', {}, inSession('s'))
  expect([status, error?.code]).toEqual(['failed', 'record_failed'])
})

test('somebody with policy.write takes the flags off, on record', async () => {
  await open()
  const { untrusted } = await seeBoth('s')
  const reads = { ...owner, permissions: ['policy.read'] }
  await expect(crib.api.clearSessionFlags(reads, { sessionId: 's' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(
    (await crib.api.listSessionFlags(reads, { sessionId: 's' })).items.map(({ kind }) => kind),
  ).toEqual(['untrusted', 'private'])
  const bound = { ...owner, agent: 'support' }
  await expect(crib.api.clearSessionFlags(bound, { sessionId: 's' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const cleared = await crib.api.clearSessionFlags(owner, { sessionId: 's' })
  expect(cleared.items[0]).toMatchObject({ kind: 'untrusted', callId: untrusted })
  expect((await crib.call('mail.send', {}, inSession('s'))).status).toBe('completed')
  expect(await typesOf('s')).toEqual(['session.flagged', 'session.flagged', 'session.cleared'])
})

test('the same session id of another tenant is another session', async () => {
  await open()
  await seeBoth('s')
  const acme = { tenant: 'acme', ...inSession('s') }
  expect((await crib.call('mail.send', {}, acme)).status).toBe('completed')
  await expect(
    crib.api.listSessionFlags(ownerOf('acme'), { sessionId: 's' }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('explain shows labels, and for a session what would be asked and why', async () => {
  await open()
  const explainSend = async (sessionId?: string) =>
    (await crib.api.explain(owner, { tool: 'mail.send', session: sessionId })).items[0]
  expect(await explainSend()).toMatchObject({
    verdict: 'allow',
    labels: { reads: [], effects: 'external', setBy: ['derived from its effect write'] },
  })
  const { untrusted } = await seeBoth('s')
  const asked = await explainSend('s')
  expect([asked?.verdict, asked?.asks?.[0]?.layer]).toEqual(['ask', 'data-flow'])
  expect(asked?.reasons[0]).toContain(untrusted)
  const [page] = (await crib.api.explain(owner, { tool: 'own.page' })).items
  expect(page?.labels).toEqual({
    reads: ['untrusted'],
    effects: 'none',
    setBy: ['its definition'],
  })
})
