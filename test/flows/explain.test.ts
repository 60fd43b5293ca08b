import { afterEach, describe, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { CallContext, Caller } from '../../src/core/kernel/call.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

const owner = ownerOf()

function tool(
  name: string,
  more: { permission?: string; execute?: (input: object, context: CallContext) => unknown } = {},
) {
  return defineTool({
    name,
    description: 'Does something.',
    effect: 'write',
    inputSchema: z.object({}),
    execute: () => 'done',
    ...more,
  })
}

const tools = [
  tool('billing.find'),
  tool('billing.refund', { permission: 'billing.refund' }),
  tool('disk.read'),
  tool('disk.all', {
    execute: (_input: object, { call }: CallContext) => call('billing.refund', {}),
  }),
]
const agents = [{ slug: 'support', tools: { allow: ['disk.*'] } }]

let crib: Crib
afterEach(() => crib.close())

async function open() {
  const store = await freshStore()
  const config = { agents, tenants: [{ slug: 'acme' }] }
  crib = await createTestCrib({ tools, config, store })
  return store
}

const asSupport = { agent: 'support' }
const refusalOf = async (name: string, as: object = asSupport) => {
  const { error, ...rest } = await crib.call(name, {}, as)
  return { ...error, ...rest }
}

describe('a tool that is not there', () => {
  test('is not on record as refused when a person only reads about it', async () => {
    const store = await open()
    const read = (name: string) => crib.api.findTool(owner, { name, ...asSupport })
    for (const name of ['billing.find', 'billing.nope']) {
      await expect(read(name)).rejects.toMatchObject({ code: 'tool_not_found', details: {} })
    }
    await refusalOf('billing.find')
    const { items } = await store.events.read('default', { limit: 100 })
    expect(items.filter(({ type }) => type === 'call.refused').length).toBe(1)
  })

  test('is refused with an id that says why, then and now', async () => {
    await open()
    const { refusalId = '', code, callId } = await refusalOf('billing.find')
    expect([code, callId, refusalId]).toEqual([
      'tool_not_found',
      undefined,
      expect.stringMatching(/^ref_[0-9a-f]{32}$/),
    ])
    const rule = 'agent support has no grant for billing.find'
    const { now, at, ...past } = await crib.api.explainDecision(owner, { id: refusalId })
    expect(Date.parse(at)).toBeGreaterThan(0)
    expect(past).toEqual({
      id: refusalId,
      kind: 'refusal',
      tool: 'billing.find',
      principal: { kind: 'user', id: 'owner' },
      agent: 'support',
      runtime: 'api',
      decided: { verdict: 'deny', layer: 'grants', rule, reasons: [rule] },
      difference: 'Nothing has changed: grants still hides it.',
    })
    expect(now?.layers.find(({ passes }) => !passes)?.change?.command).toBe(
      'toolcrib agents grant support billing.find',
    )
  })

  test('is explained by what is decided since', async () => {
    const store = await open()
    const { refusalId = '' } = await refusalOf('billing.find')
    const body = [{ pattern: 'billing.find', kind: 'allow', sources: ['manual'] }]
    await store.rules.change('default', owner.principal, (draft) =>
      draft.put('grants', 'support', { body }),
    )
    await expect
      .poll(async () => (await crib.api.explainDecision(owner, { id: refusalId })).difference)
      .toBe('Now it is allowed.')
  })

  test('and one that nobody has are answered in the same words', async () => {
    await open()
    const told = (value: unknown) =>
      JSON.stringify(value).replaceAll(/ref_[0-9a-f]{32}|billing\.(find|nope)/g, '…')
    const [hidden, unknown] = [await refusalOf('billing.find'), await refusalOf('billing.nope')]
    expect(told(hidden)).toBe(told(unknown))
    expect(
      (await crib.api.explainDecision(owner, { id: unknown.refusalId ?? '' })).difference,
    ).toBe('Now still no tool is registered as billing.nope.')
  })

  test('has an id also when it is read, scheduled, or called by another tool', async () => {
    await open()
    const idOf = (work: Promise<unknown>) =>
      work.then(
        () => 'no refusal',
        (error: { details?: { refusalId?: string } }) => error.details?.refusalId ?? 'no id',
      )
    const bound: Caller = { ...owner, agent: 'support' }
    const ids = [
      await idOf(crib.api.findTool(bound, { name: 'billing.find' })),
      await idOf(
        crib.api.createSchedule(bound, {
          name: 'digest',
          when: { every: '1h' },
          tool: 'billing.find',
        }),
      ),
      (await refusalOf('disk.all')).refusalId ?? 'no id',
    ]
    for (const id of ids) {
      expect((await crib.api.explainDecision(owner, { id })).decided.layer).toBe('grants')
    }
  })

  test('is explained to nobody else: another tenant, another agent, no permission, no such id', async () => {
    await open()
    const { refusalId = '' } = await refusalOf('billing.find')
    const { callId = '' } = await crib.call('disk.read', {}, asSupport)
    const missing = `ref_${'0'.repeat(32)}`
    const codeFor = (caller: Caller, id: string) =>
      crib.api.explainDecision(caller, { id }).then(
        () => 'explained',
        ({ code, message }: { code: string; message: string }) =>
          `${code} ${message}`.replace(id, '…'),
      )
    const notFound = 'not_found There is no decision "…" to explain'
    for (const id of [refusalId, callId]) {
      expect(await codeFor(ownerOf('acme'), id)).toBe(notFound)
      expect(await codeFor({ ...owner, permissions: ['tools.call'] }, id)).toBe(notFound)
      expect(await codeFor({ ...owner, agent: 'other' }, id)).toBe(notFound)
    }
    for (const id of [missing, `call_${'0'.repeat(32)}`, 'ref_', "x' or true --"]) {
      expect(await codeFor(owner, id)).toBe(notFound)
    }
    expect(await codeFor({ ...owner, agent: 'support' }, refusalId)).toBe('explained')
  })

  test('is recorded sixty times a minute for one caller, and others have theirs', async () => {
    await open()
    const names = Array.from({ length: 130 }, (_, index) => `no.tool-${index}`)
    const ids = await Promise.all(names.map(async (name) => (await refusalOf(name)).refusalId))
    const given = ids.filter((id) => id !== undefined).length
    // The minute may turn in the middle.
    expect([60, 120]).toContain(given)
    const other: Caller = { ...owner, principal: { kind: 'user', id: 'anna' } }
    const { error } = await crib.api.call({ tool: 'no.tool', input: {}, caller: other })
    expect(error?.refusalId).toBeDefined()
  })
})

test('a call is explained with its decision, its state, and the decision today', async () => {
  const store = await open()
  const { callId = '' } = await crib.call('disk.read', {}, asSupport)
  expect(await crib.api.explainDecision(owner, { id: callId })).toMatchObject({
    id: callId,
    kind: 'call',
    decided: { verdict: 'allow', layer: 'grants' },
    outcome: { status: 'completed' },
    now: { verdict: 'allow' },
    difference: 'Nothing has changed: it is allowed.',
  })
  await store.rules.change('default', owner.principal, (draft) => draft.delete('agent', 'support'))
  await expect
    .poll(async () => (await crib.api.explainDecision(owner, { id: callId })).difference)
    .toBe('Now nothing would be decided: There is no agent "support" in this tenant.')
})

describe('test as', () => {
  const verdictOf = async (as: string, caller = owner, agent?: string) =>
    (await crib.api.explain(caller, { tool: 'billing.refund', as, agent })).items[0]?.stoppedBy ??
    'allow'

  test('a role has its permissions, a key its scopes and its agent', async () => {
    await open()
    const keyed = async (scopes: string[], agent?: string) =>
      `key:${(await crib.api.createKey(owner, { name: 'k', scopes, agent })).key.id}`
    expect(await verdictOf('role:owner')).toBe('allow')
    expect(await verdictOf('role:member')).toBe('permission')
    expect(await verdictOf(await keyed(['tools.call']))).toBe('permission')
    expect(await verdictOf(await keyed(['tools.call', 'billing.*']))).toBe('allow')
    const bound = await keyed(['*'], 'support')
    expect(await verdictOf(bound)).toBe('grants')
    await expect(verdictOf(bound, owner, 'other')).rejects.toMatchObject({ code: 'forbidden' })
    const revoked = await keyed(['*'])
    await crib.api.revokeKey(owner, { id: revoked.slice('key:'.length) })
    expect(await verdictOf(revoked)).toBe('permission')
  })

  test('says of somebody who calls nothing that they see nothing, and why', async () => {
    await open()
    const reasonOf = async (as: string) => {
      const own = new Set(tools.map(({ contract }) => contract.name))
      const { items } = await crib.api.explain(owner, { as })
      const all = items.filter(({ tool }) => own.has(tool))
      const reasons = all.flatMap(({ layers }) => layers.filter(({ passes }) => !passes))
      expect(all.map(({ visible }) => visible)).toEqual(tools.map(() => false))
      return [...new Set(reasons.map(({ layer, reason }) => `${layer}: ${reason}`))]
    }
    const lacks = 'the caller lacks the permission tools.call, which every call needs'
    expect(await reasonOf('role:viewer')).toEqual([`permission: ${lacks}`])
    const { key } = await crib.api.createKey(owner, { name: 'k', scopes: ['*'] })
    await crib.api.revokeKey(owner, { id: key.id })
    expect(await reasonOf(`key:${key.id}`)).toEqual([
      `permission: the key ${key.id} is revoked, and calls nothing`,
    ])
    // An agent is looked at for its own sake, whatever the one who asks may call.
    const viewer: Caller = { ...owner, permissions: ['policy.read'] }
    const { items } = await crib.api.explain(viewer, { agent: 'support' })
    expect(items.filter(({ visible }) => visible).map(({ tool: name }) => name)).toEqual([
      'disk.all',
      'disk.read',
    ])
  })

  test('needs permission to read policy, and an existing person', async () => {
    await open()
    const codeOf = (as: string, caller = owner) =>
      verdictOf(as, caller).then(
        () => 'told',
        ({ code }: { code: string }) => code,
      )
    expect(await codeOf('role:owner', { ...owner, permissions: ['tools.call'] })).toBe('forbidden')
    expect(await codeOf('role:owner', { ...owner, permissions: ['policy.read'] })).toBe('told')
    expect(await codeOf('role:king')).toBe('not_found')
    expect(await codeOf('role:constructor')).toBe('not_found')
    expect(await codeOf('key:nope')).toBe('not_found')
    expect(await codeOf('member:nope')).toBe('not_found')
    expect(await codeOf('anna')).toBe('invalid_request')
    expect(await codeOf('toString:x')).toBe('invalid_request')
    const { key } = await crib.api.createKey(owner, { name: 'k', scopes: ['*'] })
    expect(await codeOf(`key:${key.id}`, ownerOf('acme'))).toBe('not_found')
  })

  test('of a caller that is bound to an agent stays with that agent', async () => {
    await open()
    const bound: Caller = { ...owner, agent: 'support' }
    expect(await verdictOf('role:owner', bound)).toBe('grants')
  })
})
