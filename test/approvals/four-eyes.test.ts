import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import { createTestCrib } from '../../src/testing/index.ts'

const owner = ownerOf()
const paid: number[] = []
const pay = defineTool({
  name: 'bank.pay',
  description: 'Pays an amount.',
  effect: 'destructive',
  approval: 'always',
  inputSchema: z.object({ amount: z.number() }),
  execute({ amount }) {
    paid.push(amount)
    return { amount }
  },
})
const order = defineTool({
  name: 'bank.order',
  description: 'Orders a payment.',
  effect: 'read',
  inputSchema: z.object({ amount: z.number() }),
  execute: (input, { call }) => call('bank.pay', input),
})

let crib: Crib
afterEach(async () => {
  await crib.close()
  paid.length = 0
})

type Rule = { quorum?: number; requester?: 'barred' }

async function open(rule: Rule): Promise<void> {
  crib = await createTestCrib({
    tools: [pay, order],
    config: {
      agents: [{ slug: 'clerk', model: 'demo', tools: { allow: ['bank.*'] } }],
      approvals: { rules: [{ tools: ['bank.pay'], ...rule }] },
    },
  })
}

/** An admin, as if signed in. */
async function person(name: string): Promise<Caller> {
  const { id } = await crib.api.createMember(owner, { email: `${name}@x.example`, role: 'admin' })
  return { ...owner, principal: { kind: 'user', id }, signInId: `ses_${name}` }
}

async function keyOf(maker: Caller, more: { agent?: string } = {}): Promise<Caller> {
  const { token } = await crib.api.createKey(maker, { name: 'k', scopes: ['*'], ...more })
  const caller = await crib.api.authenticate(token, 'api')
  if (caller === undefined) throw new Error('the key does not work')
  return caller
}

async function ask(caller: Caller, amount: number, tool = 'bank.pay'): Promise<string> {
  await crib.api.call({ tool, input: { amount }, caller })
  const { items } = await crib.api.listApprovals(owner, { status: 'pending', limit: 50 })
  const its = items.find(({ input }) => (input as { amount: number }).amount === amount)
  return its?.id ?? ''
}

const decide = (caller: Caller, id: string, more: { input?: { amount: number } } = {}) =>
  crib.api.decideApproval(caller, { id, decision: 'approve', ...more }).then(
    ({ status }) => status,
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

test('requesters may not approve their own calls with any of their keys', async () => {
  await open({ requester: 'barred' })
  const [ann, bob] = [await person('ann'), await person('bob')]
  const key = await keyOf(ann)
  const second = await keyOf(key)
  const clerk = await keyOf(ann, { agent: 'clerk' })
  const signedInElsewhere = { ...ann, signInId: 'oauth https://issuer.example' }
  const all = [ann, key, second, signedInElsewhere]
  const askers = [...all, clerk, { ...ann, agent: 'clerk', runtime: 'chat' as const }]
  for (const [index, asker] of askers.entries()) {
    const id = await ask(asker, index)
    for (const decider of all) expect(await decide(decider, id)).toBe('forbidden')
    expect(await decide(bob, id)).toBe('approved')
  }
})

test('the requester of a nested or scheduled call is the one who started it', async () => {
  await open({ requester: 'barred' })
  const [ann, bob] = [await person('ann'), await person('bob')]
  const key = await keyOf(ann)
  const nested = await ask(key, 1, 'bank.order')
  expect([await decide(ann, nested), await decide(bob, nested)]).toEqual(['forbidden', 'approved'])
  const schedule = await crib.api.createSchedule(key, {
    name: 'pay',
    tool: 'bank.pay',
    input: { amount: 2 },
    when: { every: '1d' },
  })
  await crib.api.runSchedule(owner, { id: schedule.id })
  const { items } = await crib.api.listApprovals(owner, { status: 'pending', limit: 5 })
  const id = items[0]?.id ?? ''
  expect([await decide(ann, id), await decide(bob, id)]).toEqual(['forbidden', 'approved'])
})

test('a request stays with its author when the key changes hands', async () => {
  await open({ requester: 'barred' })
  const [ann, bob, cid] = [await person('ann'), await person('bob'), await person('cid')]
  const key = await keyOf(ann)
  const id = await ask(key, 1)
  await crib.api.rotateKey(bob, { id: key.principal.id })
  expect(await decide(ann, id)).toBe('forbidden')
  expect(await decide(bob, id)).toBe('forbidden')
  expect(await decide(cid, id)).toBe('approved')
})

test('keys that the first owner made are one person with the first owner', async () => {
  await open({ requester: 'barred' })
  const [one, other] = [await keyOf(owner), await keyOf(owner)]
  const id = await ask(one, 1)
  for (const decider of [other, owner]) expect(await decide(decider, id)).toBe('forbidden')
  expect(await decide(await person('ann'), id)).toBe('approved')
})

test('where two people have to say yes, one with two keys is one', async () => {
  await open({ quorum: 2 })
  const [ann, bob] = [await person('ann'), await person('bob')]
  const id = await ask(owner, 1)
  expect(await decide(await keyOf(ann), id)).toBe('pending')
  for (const decider of [ann, await keyOf(ann)]) {
    expect(await decide(decider, id)).toBe('already_decided')
  }
  expect(await decide(await keyOf(bob), id)).toBe('approved')
})

test('someone who edits the input counts as a requester, so a third person approves', async () => {
  await open({ requester: 'barred' })
  const [ann, bob, cid] = [await person('ann'), await person('bob'), await person('cid')]
  const id = await ask(ann, 1)
  expect(await decide(bob, id, { input: { amount: 1000 } })).toBe('pending')
  for (const decider of [bob, await keyOf(bob), ann]) {
    expect(await decide(decider, id)).toBe('forbidden')
  }
  expect(await decide(bob, id, { input: { amount: 1001 } })).toBe('pending')
  const remember = { decision: 'approve', input: { amount: 5 }, remember: { for: '1h' } } as const
  await expect(crib.api.decideApproval(cid, { id, ...remember })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(paid).toEqual([])
  expect(await decide(cid, id)).toBe('approved')
})

test('a remembered approval does not apply to its author or where several must approve', async () => {
  await open({ requester: 'barred' })
  const [ann, bob] = [await person('ann'), await person('bob')]
  const as = (caller: Caller): Caller => ({ ...caller, agent: 'clerk' })
  const id = await ask(as(ann), 1)
  const remember = { for: '1h', match: { amount: 1 } }
  await crib.api.decideApproval(await keyOf(bob), { id, decision: 'approve', remember })
  const statusOf = async (caller: Caller) =>
    (await crib.api.call({ tool: 'bank.pay', input: { amount: 1 }, caller })).status
  expect(await statusOf(as(ann))).toBe('completed')
  expect(await statusOf(as(bob))).toBe('waiting')
  expect(await statusOf(await keyOf(bob, { agent: 'clerk' }))).toBe('waiting')
})
