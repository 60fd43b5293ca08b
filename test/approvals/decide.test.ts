import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const anna: Caller = { ...owner, principal: { kind: 'user', id: 'anna' } }
const ben: Caller = { ...owner, principal: { kind: 'user', id: 'ben' } }

const runs: unknown[] = []
const refund = defineTool({
  name: 'billing.refund',
  description: 'Refunds an invoice.',
  effect: 'destructive',
  approval: 'always',
  secrets: [{ key: 'stripe_key', optional: true }],
  inputSchema: z.object({
    invoice: z.string(),
    cents: z.int().min(1),
    note: z.string().nullable(),
  }),
  execute(input) {
    runs.push(input)
    return { refunded: input.cents }
  },
})
const input = { invoice: 'in_1', cents: 500, note: null }

let crib: Crib
afterEach(async () => {
  runs.length = 0
  await crib.close()
})

type Config = NonNullable<Parameters<typeof createTestCrib>[0]>['config']

async function open(config: Config = {}, store?: OpenStores): Promise<void> {
  crib = await createTestCrib({ tools: [refund], config, store })
}

/** Asks for a refund and gives the call and the approval it waits for. */
async function ask(given: unknown = input, as: Parameters<Crib['call']>[2] = {}) {
  const { callId = '', approvalId = '', ...rest } = await crib.call('billing.refund', given, as)
  expect(rest).toEqual({ status: 'waiting', waitingFor: 'approval' })
  return { callId, approvalId }
}

const settled = (callId: string) => crib.api.findCall(owner, { id: callId, wait: 4 })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )
const eventsOf = async (callId: string) =>
  (await crib.api.readEvents(owner, { callId, limit: 50 })).items.map(({ type }) => type)

test('a call that needs a person waits in storage, and runs once when somebody approves', async () => {
  await open()
  const { callId, approvalId } = await ask()
  expect(await crib.api.findCall(owner, { id: callId })).toMatchObject({
    status: 'waiting',
    waitingFor: 'approval',
    approvalId,
    decision: { verdict: 'ask', layer: 'approval' },
  })
  const { items } = await crib.api.listApprovals(owner, { status: 'pending', limit: 10 })
  expect(items).toEqual([
    {
      id: approvalId,
      tenant: 'default',
      callId,
      tool: 'billing.refund',
      input,
      revision: 0,
      reasons: ['billing.refund always needs approval'],
      requestedBy: { principal: owner.principal },
      status: 'pending',
      createdAt: expect.any(String) as string,
      expiresAt: expect.any(String) as string,
      needed: 1,
      isRequesterBarred: false,
      decisions: [],
    },
  ])
  expect(runs).toEqual([])
  const approved = await crib.api.decideApproval(anna, { id: approvalId, decision: 'approve' })
  expect([approved.status, approved.decisions.map(({ by }) => by)]).toEqual([
    'approved',
    [anna.principal],
  ])
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: { refunded: 500 } })
  expect(runs).toEqual([input])
  expect(await codeOf(crib.api.decideApproval(ben, { id: approvalId, decision: 'reject' }))).toBe(
    'already_decided',
  )
  expect(await eventsOf(callId)).toEqual([
    'call.requested',
    'approval.requested',
    'call.waiting',
    'approval.granted',
    'call.queued',
    'call.started',
    'call.completed',
  ])
})

test('a rejection ends the call as denied, and the caller gets the reason', async () => {
  await open()
  const { callId, approvalId } = await ask()
  await crib.api.decideApproval(anna, { id: approvalId, decision: 'reject', reason: 'paid twice' })
  const call = await settled(callId)
  expect([call.status, call.error]).toEqual([
    'denied',
    {
      code: 'approval_rejected',
      message: 'A person rejected the call: paid twice',
      retryable: false,
    },
  ])
  expect(runs).toEqual([])
  expect(await eventsOf(callId)).toContain('approval.rejected')
})

test('an edited input is parsed again: unfit leaves the approval as it was, fit is what runs', async () => {
  await open()
  const { callId, approvalId } = await ask()
  const edit = (value: Record<string, unknown>) =>
    crib.api.decideApproval(anna, { id: approvalId, decision: 'approve', input: value })
  await expect(edit({ invoice: 'in_1', cents: -1 })).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [expect.objectContaining({ path: '/cents' })],
  })
  expect((await crib.api.findApproval(owner, { id: approvalId })).status).toBe('pending')
  const approved = await edit({ invoice: 'in_1', cents: 20, note: 'less' })
  expect(approved).toMatchObject({ input: { cents: 20 }, revision: 1 })
  expect(approved.decisions[0]).toMatchObject({ isEdited: true, revision: 1 })
  expect(await settled(callId)).toMatchObject({
    status: 'completed',
    input: { invoice: 'in_1', cents: 20, note: 'less' },
    output: { refunded: 20 },
  })
})

test('people see no secret, and editing another field does not lose it', async () => {
  await open()
  await crib.api.writeSecret(owner, { name: 'stripe_key', value: 'sk_live_4242' })
  const { callId, approvalId } = await ask({ invoice: 'in_1', cents: 5, note: 'key sk_live_4242' })
  const { input: shown } = await crib.api.findApproval(owner, { id: approvalId })
  expect(shown).toEqual({ invoice: 'in_1', cents: 5, note: 'key [redacted:stripe_key]' })
  const moved = { invoice: '[redacted:stripe_key]', cents: 5, note: null }
  expect(
    await codeOf(
      crib.api.decideApproval(anna, { id: approvalId, decision: 'approve', input: moved }),
    ),
  ).toBe('invalid_input')
  await crib.api.decideApproval(anna, {
    id: approvalId,
    decision: 'approve',
    input: { ...(shown as object), cents: 7 },
  })
  const call = await settled(callId)
  expect(runs).toEqual([{ invoice: 'in_1', cents: 7, note: 'key sk_live_4242' }])
  expect(call.input).toEqual({ invoice: 'in_1', cents: 7, note: 'key [redacted:stripe_key]' })
})

test('a quorum counts different people, and a yes to another input does not count', async () => {
  await open({ approvals: { rules: [{ tools: ['billing.*'], quorum: 2 }] } })
  const { callId, approvalId } = await ask()
  const approve = (by: Caller, more: object = {}) =>
    crib.api.decideApproval(by, { id: approvalId, decision: 'approve', ...more })
  expect((await approve(anna)).status).toBe('pending')
  expect(await codeOf(approve(anna))).toBe('already_decided')
  const edited = await approve(ben, { input: { ...input, cents: 9 } })
  expect([edited.status, edited.revision]).toEqual(['pending', 1])
  expect(await codeOf(approve(anna, { revision: 0 }))).toBe('already_decided')
  expect((await approve(anna, { revision: 1 })).status).toBe('approved')
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: { refunded: 9 } })
  expect(runs).toHaveLength(1)
})

test('unnamed approvers, barred requesters, agents and people without the permission are refused', async () => {
  await open({
    approvals: {
      rules: [
        { tools: ['billing.*'], approvers: ['user:anna', 'user:owner'], requester: 'barred' },
      ],
    },
  })
  const { approvalId } = await ask()
  const approve = (by: object) =>
    codeOf(crib.api.decideApproval({ ...owner, ...by }, { id: approvalId, decision: 'approve' }))
  expect(await approve({})).toBe('forbidden')
  expect(await approve(ben)).toBe('forbidden')
  expect(await approve({ ...anna, permissions: ['tools.call'] })).toBe('not_found')
  expect(await approve({ ...anna, agent: 'support' })).toBe('forbidden')
  expect(await approve({ ...anna, tenant: 'other' })).toBe('not_found')
  expect(await approve(anna)).toBe('done')
})

test('a caller without the permission sees the approvals of its own calls alone', async () => {
  await open()
  await ask()
  const small = { ...ben, permissions: ['tools.call'] }
  const { approvalId } = await crib.api.call({ tool: 'billing.refund', input, caller: small })
  const { items } = await crib.api.listApprovals(small, { limit: 10 })
  expect(items.map(({ id }) => id)).toEqual([approvalId])
  expect(
    await codeOf(crib.api.decideApproval(small, { id: approvalId ?? '', decision: 'approve' })),
  ).toBe('forbidden')
  expect(await codeOf(crib.api.listApprovalRules(small))).toBe('forbidden')
})

test('cancelling the call closes its approval', async () => {
  await open()
  const { callId, approvalId } = await ask()
  await crib.api.cancelCall(owner, { id: callId })
  expect((await crib.api.findApproval(owner, { id: approvalId })).status).toBe('cancelled')
  expect((await crib.api.listApprovals(owner, { status: 'pending', limit: 10 })).items).toEqual([])
  expect(await codeOf(crib.api.decideApproval(anna, { id: approvalId, decision: 'approve' }))).toBe(
    'already_decided',
  )
})

test('what nobody decides on in time expires, and is denied', async () => {
  await open({ approvals: { expiresIn: '50ms' } })
  const { callId, approvalId } = await ask()
  const call = await settled(callId)
  expect([call.status, call.error?.code]).toEqual(['denied', 'approval_expired'])
  expect((await crib.api.findApproval(owner, { id: approvalId })).status).toBe('expired')
  expect(await eventsOf(callId)).toEqual([
    'call.requested',
    'approval.requested',
    'call.waiting',
    'approval.expired',
    'call.denied',
  ])
})

test('the same idempotency key gives the same call while it waits and afterwards', async () => {
  await open()
  const first = await ask(input, { idempotencyKey: 'k' })
  expect(await ask(input, { idempotencyKey: 'k' })).toEqual(first)
  await crib.api.decideApproval(anna, { id: first.approvalId, decision: 'approve' })
  await settled(first.callId)
  expect(await crib.call('billing.refund', input, { idempotencyKey: 'k' })).toMatchObject({
    callId: first.callId,
    status: 'completed',
  })
  expect(runs).toHaveLength(1)
})

test('decisions in one request are answered each for itself', async () => {
  await open()
  const [one, two] = [await ask(), await ask()]
  const { items: answers } = await crib.api.decideApprovals(anna, {
    decisions: [
      { id: one.approvalId, decision: 'approve' },
      { id: 'appr_nope', decision: 'approve' },
      { id: one.approvalId, decision: 'reject' },
      { id: two.approvalId, decision: 'reject', reason: 'no' },
    ],
  })
  expect(answers.map(({ approval, error }) => approval?.status ?? error?.code)).toEqual([
    'approved',
    'not_found',
    'already_decided',
    'rejected',
  ])
})

test('a tool that vanished while its call waited can only be rejected', async () => {
  const store = await freshStore()
  await open({}, store)
  const { approvalId } = await ask()
  const bare = await createTestCrib({ store })
  const decide = (decision: 'approve' | 'reject') =>
    codeOf(bare.api.decideApproval(anna, { id: approvalId, decision }))
  expect(await decide('approve')).toBe('tool_not_found')
  expect(await decide('reject')).toBe('done')
  await bare.close()
})

test('what policy denies by now is not approved, and still waits', async () => {
  const store = await freshStore()
  await open({}, store)
  const { approvalId } = await ask()
  const stricter = await createTestCrib({
    tools: [refund],
    store,
    config: { policy: { deny: ['billing.*'] } },
  })
  expect(
    await codeOf(stricter.api.decideApproval(anna, { id: approvalId, decision: 'approve' })),
  ).toBe('denied')
  expect((await stricter.api.findApproval(anna, { id: approvalId })).status).toBe('pending')
  await stricter.close()
})

test('a call that is approved in the very moment of its cancelling does not run later', async () => {
  const store = await freshStore()
  let approve = async () => undefined as unknown
  const settle: typeof store.calls.settle = async (settlement) => {
    await approve()
    approve = async () => undefined
    return store.calls.settle(settlement)
  }
  await open({}, { ...store, calls: { ...store.calls, settle } })
  const startAt = Date.now() + 3_600_000
  const request = { tool: 'billing.refund', input, caller: owner, startAt }
  const { callId = '', approvalId = '' } = await crib.api.call(request)
  approve = () => crib.api.decideApproval(owner, { id: approvalId, decision: 'approve' })
  expect((await crib.api.cancelCall(owner, { id: callId })).status).toBe('cancelled')
  expect((await crib.api.findApproval(owner, { id: approvalId })).status).toBe('approved')
})

test('a secret in a reason is neither recorded nor shown', async () => {
  await open()
  await crib.api.writeSecret(owner, { name: 'stripe_key', value: 'sk-very-secret-1' })
  const decide = async (decision: 'approve' | 'reject') => {
    const { callId, approvalId } = await ask()
    const reason = 'the key is sk-very-secret-1'
    const decided = await crib.api.decideApproval(owner, { id: approvalId, decision, reason })
    const { items } = await crib.api.readEvents(owner, { callId, limit: 50 })
    return JSON.stringify([decided, await settled(callId), items])
  }
  const told = (await decide('approve')) + (await decide('reject'))
  expect(told).not.toContain('sk-very-secret-1')
  expect(told).toContain('the key is [redacted:stripe_key]')
})

test('while the secrets can not be read nothing is asked about and no input is edited', async () => {
  const store = await freshStore()
  let isLocked = false
  const read: typeof store.secrets.read = async (scope, names) => {
    if (isLocked) throw new Error('The vault is locked')
    return store.secrets.read(scope, names)
  }
  await open({}, { ...store, secrets: { ...store.secrets, read } })
  await crib.api.writeSecret(owner, { name: 'stripe_key', value: 'sk_live_4242' })
  const { approvalId } = await ask()
  isLocked = true
  const leaking = { ...input, note: 'sk_live_4242' }
  expect((await crib.call('billing.refund', leaking)).status).toBe('failed')
  const decision = { decision: 'approve', input: leaking } as const
  expect(await codeOf(crib.api.decideApproval(owner, { id: approvalId, ...decision }))).not.toBe(
    'done',
  )
  const { items } = await crib.api.listApprovals(owner, { limit: 10 })
  expect(items.map((approval) => [approval.id, approval.input])).toEqual([[approvalId, input]])
})

test('a call of a former member does not run when it is approved', async () => {
  await open()
  const askAs = async (email: string) => {
    const { id } = await crib.api.createMember(owner, { email, role: 'admin' })
    const caller: Caller = { ...owner, principal: { kind: 'user', id }, signInId: 'ses_1' }
    const made = await crib.api.call({ tool: 'billing.refund', input, caller })
    return { id, callId: made.callId ?? '', approvalId: made.approvalId ?? '' }
  }
  const [stays, leaves] = [await askAs('a@example.com'), await askAs('b@example.com')]
  await crib.api.removeMember(owner, { id: leaves.id })
  const approve = ({ approvalId }: { approvalId: string }) =>
    codeOf(crib.api.decideApproval(owner, { id: approvalId, decision: 'approve' }))
  expect([await approve(stays), await approve(leaves)]).toEqual(['done', 'denied'])
  expect((await settled(stays.callId)).status).toBe('completed')
  expect(runs).toEqual([input])
})

test('an approval is kept while the secret of the call is missing, and counts when it is back', async () => {
  const wire = defineTool({
    name: 'bank.wire',
    description: 'Needs a key of the bank.',
    effect: 'write',
    approval: 'always',
    secrets: ['bank_key'],
    inputSchema: z.object({}),
    execute: () => ({ wired: true }),
  })
  crib = await createTestCrib({ tools: [wire] })
  const secret = { name: 'bank_key', value: 'value-one-111' }
  await crib.api.writeSecret(owner, secret)
  const { callId = '', approvalId = '' } = await crib.call('bank.wire', {})
  await crib.api.deleteSecret(owner, { name: 'bank_key' })
  const yes = () => crib.api.decideApproval(anna, { id: approvalId, decision: 'approve' })
  await expect(yes()).rejects.toMatchObject({
    code: 'secret_missing',
    fix: 'Set it with: toolcrib secrets set bank_key',
  })
  expect(await crib.api.findApproval(owner, { id: approvalId })).toMatchObject({
    status: 'pending',
    decisions: [],
  })
  await crib.api.writeSecret(owner, secret)
  await yes()
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: { wired: true } })
})
