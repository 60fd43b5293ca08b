import { afterEach, describe, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import type { CallContext, Caller } from '../src/core/kernel/call.ts'
import { ToolError } from '../src/core/kernel/errors.ts'
import type { LimitRequest } from '../src/features/limits/schemas.ts'
import type { Tool } from '../src/core/kernel/tool.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { createTestCrib, type TestCribOptions } from '../src/testing/create-test-crib.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Execute = (input: { text: string | null }, context: CallContext) => unknown

function toolOf(name: string, execute: Execute, more = {}): Tool {
  return defineTool({
    name,
    description: 'A tool to be limited.',
    effect: 'read',
    inputSchema: z.object({ text: z.string().nullable() }),
    execute,
    ...more,
  })
}

const gate = () => Promise.withResolvers<void>()
const echo = toolOf('text.echo', ({ text }) => ({ text }))
const config = { agents: ['support', 'sales'].map((slug) => ({ slug, tools: { allow: ['*'] } })) }

async function open(tools: Tool[], more: TestCribOptions = {}): Promise<Crib> {
  const crib = await createTestCrib({ tools, config, ...more })
  closing.push(() => crib.close())
  return crib
}
const limit = (crib: Crib, name: string, spec: LimitRequest) =>
  crib.api.writeLimit(owner, { name, ...spec })
const codes = (results: { status: string; error?: { code: string } }[]) =>
  results.map(({ status, error }) => error?.code ?? status)
const events = async (crib: Crib, type: string) => {
  const found = []
  for await (const event of crib.events()) if (event.type === type) found.push(event)
  return found
}

/** Usage is added up where the log is sealed, about a second behind. */
const sealed = { timeout: 60_000 }

describe('calls per minute', () => {
  test('what is over the limit is refused before it is recorded, with who set it and when to come back', async () => {
    const crib = await open([echo])
    await limit(crib, 'pace', { of: 'agent', match: 'support', callsPerMinute: 2 })
    const call = () => crib.call('text.echo', {}, { agent: 'support' })
    const results = [await call(), await call(), await call(), await call()]
    expect(codes(results)).toEqual(['completed', 'completed', 'rate_limited', 'rate_limited'])
    const [, , refused] = results
    expect(refused?.callId).toBeUndefined()
    expect(refused?.error).toMatchObject({ retryable: true, retryAfterMs: expect.any(Number) })
    expect(refused?.error?.message).toMatch(
      /^The limit pace allows 2 calls per minute for agent:support \(set by user:owner on /,
    )
    expect(codes([await crib.call('text.echo', {}, { agent: 'sales' })])).toEqual(['completed'])
    await expect.poll(async () => (await events(crib, 'limit.reached')).length).toBe(1)
    await expect
      .poll(async () => (await crib.api.listCalls(owner, { limit: 50 })).items)
      .toHaveLength(3)
    const shown = await crib.api.findLimit(owner, { name: 'pace', limit: 5 })
    expect(shown.use).toEqual([{ subject: 'agent:support', used: { callsPerMinute: 2 } }])
    expect(await crib.api.metrics()).toContain(
      'toolcrib_limit_refusals_total{measure="callsPerMinute"} 2',
    )
  })

  test('a call takes room of every limit it is under, and of none when one refuses it', async () => {
    const names = ['a.one', 'a.two', 'a.three', 'a.four']
    const crib = await open(names.map((name) => toolOf(name, () => name)))
    await limit(crib, 'all', { of: 'tenant', callsPerMinute: 3 })
    await limit(crib, 'each-tool', { of: 'tool', callsPerMinute: 1 })
    const results = []
    for (const tool of ['a.one', 'a.one', 'a.one', 'a.two', 'a.three', 'a.four'])
      results.push(await crib.call(tool, {}))
    expect(results.map(({ status, error }) => error?.message.split(' ')[2] ?? status)).toEqual([
      'completed',
      'each-tool',
      'each-tool',
      'completed',
      'completed',
      'all',
    ])
  })

  test('several tools can be counted together', async () => {
    const crib = await open([echo, toolOf('text.other', () => 1), toolOf('disk.read', () => 1)])
    await limit(crib, 'texts', { of: 'tenant', tools: ['text.*'], callsPerMinute: 2 })
    const results = []
    for (const tool of ['text.echo', 'text.other', 'text.echo', 'disk.read'])
      results.push(await crib.call(tool, {}))
    expect(codes(results)).toEqual(['completed', 'completed', 'rate_limited', 'completed'])
  })

  test('invalid input and unknown tools count as calls', async () => {
    const crib = await open([echo])
    await limit(crib, 'pace', { of: 'agent', callsPerMinute: 2 })
    await limit(crib, 'texts', { of: 'tenant', tools: ['text.*'], callsPerMinute: 5 })
    const call = (tool: string, input: object, agent = 'support') =>
      crib.call(tool, input, { agent })
    const results = [
      await call('text.echo', { text: 5 }),
      await call('text.none', {}),
      await call('text.none', {}),
      await call('text.echo', { text: 5 }),
      await call('text.echo', {}),
      await call('text.echo', {}, 'sales'),
    ]
    const limited = ['rate_limited', 'rate_limited', 'rate_limited']
    expect(codes(results)).toEqual(['invalid_input', 'tool_not_found', ...limited, 'completed'])
    expect(results[2]?.error?.message).toMatch(/^The limit pace allows 2 calls per minute/)
    // A tool that is not there is under no limit of certain tools.
    const { use } = await crib.api.findLimit(owner, { name: 'texts', limit: 5 })
    expect(use).toEqual([{ subject: 'tenant:default', used: { callsPerMinute: 2 } }])
  })

  test('a join to an earlier call by its key uses no room', async () => {
    const crib = await open([echo])
    await limit(crib, 'pace', { of: 'tenant', callsPerMinute: 2 })
    const keyed = () => crib.call('text.echo', {}, { idempotencyKey: 'one' })
    const results = [await keyed(), await keyed(), await crib.call('text.echo', {})]
    expect(codes(results)).toEqual(['completed', 'completed', 'completed'])
    expect(results[0]?.callId).toBe(results[1]?.callId)
  })

  test('a limit that is changed holds at once, and one that is removed holds no more', async () => {
    const crib = await open([echo])
    await limit(crib, 'pace', { of: 'tenant', callsPerMinute: 1 })
    await crib.call('text.echo', {})
    await limit(crib, 'pace', { of: 'tenant', callsPerMinute: 2 })
    expect(codes([await crib.call('text.echo', {}), await crib.call('text.echo', {})])).toEqual([
      'completed',
      'rate_limited',
    ])
    await crib.api.deleteLimit(owner, { name: 'pace' })
    expect(codes([await crib.call('text.echo', {})])).toEqual(['completed'])
  })
})

describe('nothing at all', () => {
  test('0 refuses for ever, also what would run later or wait for a person', async () => {
    const crib = await open([echo, toolOf('text.ask', () => 1, { approval: 'always' })])
    await limit(crib, 'none', { of: 'tool', callsPerMinute: 0 })
    const results = [
      await crib.call('text.echo', {}),
      await crib.call('text.echo', {}, { respondAsync: true }),
      await crib.call('text.ask', {}),
    ]
    for (const { status, callId, error } of results) {
      expect([status, callId, error?.retryAfterMs, error?.retryable]).toEqual([
        'failed',
        undefined,
        undefined,
        false,
      ])
      expect(error?.message).toContain('allows no calls per minute')
    }
  })

  test('a stored limit that can not be read lets nothing through, and says so', async () => {
    const store = await freshStore()
    const crib = await open([echo], { store })
    await store.rules.change('default', owner.principal, (draft) =>
      draft.put('limit', 'odd', { body: { of: 'everybody', callsPerMinute: 'many' } }),
    )
    await expect
      .poll(async () => (await crib.call('text.echo', {})).error?.message)
      .toBe("The limit odd can't be read: it is stored in an unknown format")
    const { items } = await crib.api.listLimits(owner, { limit: 5 })
    expect(items.map(({ name, closed }) => [name, closed !== undefined])).toEqual([['odd', true]])
  })
})

describe('calls at once', () => {
  test('a place is taken while a call runs and free when it has ended', async () => {
    const { promise, resolve } = gate()
    const crib = await open([toolOf('slow.wait', () => promise), echo])
    await limit(crib, 'few', { of: 'tool', match: 'slow.*', concurrent: 2 })
    const running = [crib.call('slow.wait', {}), crib.call('slow.wait', {})]
    await expect
      .poll(async () => (await crib.api.findLimit(owner, { name: 'few', limit: 5 })).use)
      .toEqual([{ subject: 'tool:slow.wait', used: { concurrent: 2 } }])
    const refused = await crib.call('slow.wait', {})
    expect(refused.error).toMatchObject({ code: 'rate_limited', retryAfterMs: 1000 })
    expect(codes([await crib.call('text.echo', {})])).toEqual(['completed'])
    resolve()
    expect(codes(await Promise.all(running))).toEqual(['completed', 'completed'])
    expect(codes([await crib.call('slow.wait', {})])).toEqual(['completed'])
  })

  test('a tool that calls another, or itself, takes one place for the whole chain', async () => {
    const crib = await open([
      echo,
      toolOf('chain.outer', (_input, { call }) => call('text.echo', { text: 'in' })),
    ])
    await limit(crib, 'one', { of: 'tenant', concurrent: 1 })
    await limit(crib, 'paced', { of: 'tool', match: 'text.echo', callsPerMinute: 1 })
    const results = [await crib.call('chain.outer', {}), await crib.call('chain.outer', {})]
    expect(codes(results)).toEqual(['completed', 'rate_limited'])
    // The second was made: what it called was refused, and it failed with that.
    expect(results[1]?.callId).toBeDefined()
    expect(results[1]?.error?.retryAfterMs).toBeGreaterThan(0)
  })
})

describe('budgets', () => {
  test('cost is used up by what tools declare and report, and comes back with the next day', async () => {
    const crib = await open([
      toolOf('paid.call', (_input, { cost }) => cost(2), { cost: 1 }),
      toolOf('paid.fail', (_input, { cost }) => {
        cost(2)
        throw new Error('no')
      }),
      echo,
    ])
    await limit(crib, 'money', { of: 'agent', costPerDay: 7, costPerMonth: 100 })
    const results = []
    for (const tool of ['paid.call', 'paid.fail', 'paid.call', 'paid.call', 'text.echo'])
      results.push(await crib.call(tool, {}, { agent: 'support' }))
    expect(codes(results)).toEqual([
      'completed',
      'tool_crashed',
      'completed',
      'budget_exceeded',
      'budget_exceeded',
    ])
    const { error, callId } = results[3] ?? {}
    const midnight = new Date().setUTCHours(24, 0, 0, 0)
    expect(Math.abs(Date.now() + (error?.retryAfterMs ?? 0) - midnight)).toBeLessThan(60_000)
    expect([callId, error?.retryable]).toEqual([undefined, false])
    expect(error?.message).toContain(
      'The limit money allows 7 cost units per day for agent:support',
    )
    expect(codes([await crib.call('paid.call', {}, { agent: 'sales' })])).toEqual(['completed'])
    const used = async () => (await crib.api.findLimit(owner, { name: 'money', limit: 5 })).use
    await expect.poll(used, sealed).toEqual([
      { subject: 'agent:support', used: { costPerDay: 8, costPerMonth: 8 } },
      { subject: 'agent:sales', used: { costPerDay: 3, costPerMonth: 3 } },
    ])
    await expect.poll(async () => (await events(crib, 'limit.reached')).length).toBe(1)
  })

  test('output counts by its bytes, also what went into an artifact', async () => {
    const long = 'é'.repeat(3000)
    const crib = await open([toolOf('text.long', () => long, { maxOutputBytes: 1024 })])
    await limit(crib, 'bytes', { of: 'tool', outputBytesPerDay: 10_000 })
    const results = []
    for (let i = 0; i < 3; i += 1) results.push(await crib.call('text.long', {}))
    expect(codes(results)).toEqual(['completed', 'completed', 'budget_exceeded'])
  })

  test('what was used before the budget was set counts', async () => {
    const crib = await open([toolOf('paid.call', () => 1, { cost: 5 })])
    await crib.call('paid.call', {})
    const day = new Date().toISOString().slice(0, 10)
    const usage = () => crib.api.readUsage(owner, { from: day, to: day, by: 'tool' })
    await expect.poll(usage, sealed).toMatchObject({ items: [{ cost: 5 }] })
    await limit(crib, 'money', { of: 'tenant', costPerMonth: 5 })
    expect(codes([await crib.call('paid.call', {})])).toEqual(['budget_exceeded'])
  })
})

describe('work that runs later', () => {
  test('queued calls take room when they run, and come back', async () => {
    let most = 0
    let now = 0
    const slow = toolOf('slow.wait', async () => {
      most = Math.max(most, (now += 1))
      // Longer than a job rests that was handed back, so that it has to rest longer.
      await new Promise((resolve) => setTimeout(resolve, 1500))
      now -= 1
    })
    const crib = await open([slow])
    await limit(crib, 'one', { of: 'tool', concurrent: 1 })
    const made = []
    for (let i = 0; i < 3; i += 1)
      made.push(await crib.call('slow.wait', {}, { respondAsync: true }))
    expect(codes(made)).toEqual(['queued', 'queued', 'queued'])
    for (const { callId } of made) {
      const done = await crib.api.findCall(owner, { id: callId ?? '', wait: 60 })
      expect([done.status, done.attempt]).toEqual(['completed', 1])
    }
    expect(most).toBe(1)
  })

  test('a store that does not answer for a moment fails no queued call, and lets none through', async () => {
    const store = await freshStore()
    const { takePermits } = store.limits
    let isDown = true
    store.limits.takePermits = async (...ask) => {
      if (isDown) throw new ToolError('store_unavailable', 'down')
      return takePermits(...ask)
    }
    const crib = await open([echo], { store })
    await limit(crib, 'pace', { of: 'tenant', callsPerMinute: 5 })
    expect(codes([await crib.call('text.echo', {})])).toEqual(['store_unavailable'])
    const queued = await crib.call('text.echo', {}, { respondAsync: true })
    await new Promise((resolve) => setTimeout(resolve, 100))
    isDown = false
    const done = await crib.api.findCall(owner, { id: queued.callId ?? '', wait: 60 })
    expect(done.status).toBe('completed')
  })

  test('an approved call takes room when it runs', async () => {
    const crib = await open([echo, toolOf('text.ask', () => 'done', { approval: 'always' })])
    await limit(crib, 'pace', { of: 'tenant', callsPerMinute: 1 })
    const waiting = await crib.call('text.ask', {})
    expect(waiting.status).toBe('waiting')
    const { use } = await crib.api.findLimit(owner, { name: 'pace', limit: 5 })
    expect(use).toEqual([])
    await crib.api.decideApproval(owner, { id: waiting.approvalId ?? '', decision: 'approve' })
    const done = await crib.api.findCall(owner, { id: waiting.callId ?? '', wait: 60 })
    expect(done.status).toBe('completed')
    expect(codes([await crib.call('text.echo', {})])).toEqual(['rate_limited'])
  })
})

describe('who is counted', () => {
  test('keys and members each by themselves, by their id', async () => {
    const crib = await open([echo])
    await limit(crib, 'keys', { of: 'key', callsPerMinute: 1 })
    await limit(crib, 'members', { of: 'member', match: 'ada', callsPerMinute: 0 })
    const as = (kind: 'key' | 'user', id: string) =>
      crib.api.call({ tool: 'text.echo', input: {}, caller: { ...owner, principal: { kind, id } } })
    const results = [await as('key', 'a'), await as('key', 'a'), await as('key', 'b')]
    results.push(await as('user', 'ada'), await as('user', 'bob'))
    expect(codes(results)).toEqual([
      'completed',
      'rate_limited',
      'completed',
      'rate_limited',
      'completed',
    ])
  })

  test('limits for every tenant are counted for each, and can not be changed from inside', async () => {
    const rules = [{ name: 'everywhere', of: 'tenant' as const, callsPerMinute: 1 }]
    const tenants = [
      { slug: 'acme', limits: [{ name: 'acme-own', of: 'tool' as const, callsPerMinute: 0 }] },
    ]
    const crib = await open([echo], { config: { limits: { rules }, tenants } })
    expect(codes([await crib.call('text.echo', {}), await crib.call('text.echo', {})])).toEqual([
      'completed',
      'rate_limited',
    ])
    const other = await crib.call('text.echo', {}, { tenant: 'acme' })
    expect(other.error?.message).toContain('acme-own')
    const listed = await crib.api.listLimits({ ...owner, tenant: 'acme' }, { limit: 10 })
    expect(
      listed.items.map(({ name, isGlobal, isDeclared }) => [name, isGlobal, isDeclared]),
    ).toEqual([
      ['acme-own', false, true],
      ['everywhere', true, true],
    ])
    const conflict = { code: 'conflict' }
    await expect(limit(crib, 'everywhere', { of: 'tenant', concurrent: 1 })).rejects.toMatchObject(
      conflict,
    )
    await expect(crib.api.deleteLimit(owner, { name: 'everywhere' })).rejects.toMatchObject(
      conflict,
    )
    await expect(
      crib.api.deleteLimit({ ...owner, tenant: 'acme' }, { name: 'acme-own' }),
    ).rejects.toMatchObject(conflict)
  })
})
