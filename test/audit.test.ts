import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { defineTool, ToolError, z } from '../src/app/index.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { toUsageDay } from '../src/core/usage/usage.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const today = () => toUsageDay(Date.now())

let crib: Crib
let store: OpenStores
beforeEach(async () => {
  store = await freshStore()
  crib = await createTestCrib({
    store,
    tools: [priced, retried],
    config: { tenants: [{ slug: 'acme', name: 'Acme' }] },
  })
})
afterEach(() => crib.close())

const priced = defineTool({
  name: 'demo.priced',
  description: 'Costs three units, and what it is told to report.',
  effect: 'read',
  cost: 3,
  inputSchema: z.object({ report: z.array(z.number()), isFailing: z.boolean() }),
  execute({ report, isFailing }, context) {
    for (const units of report) context.cost(units)
    if (isFailing) throw new Error('no')
    return 'done'
  },
})

const tries: number[] = []
const retried = defineTool({
  name: 'demo.retried',
  description: 'Fails once, and costs each time.',
  effect: 'read',
  execution: 'background',
  retries: 1,
  inputSchema: z.object({}),
  execute(_input, context) {
    tries.push(1)
    context.cost(2)
    if (tries.length === 1) throw new ToolError('upstream_failed', 'again', { retryable: true })
    return 'done'
  },
})

/** Usage is added up where the log is sealed, about a second behind. */
const sealed = { timeout: 60_000 }

describe('cost', () => {
  const costOf = async () => {
    const subject = { kind: 'tool', id: 'demo.priced' } as const
    return (await store.usage.total('default', today(), subject)).cost
  }

  test('a completed call costs its price and what it reports; a failed one what it reported', async () => {
    await crib.call('demo.priced', { report: [], isFailing: false })
    await expect.poll(costOf, sealed).toBe(3)
    await crib.call('demo.priced', { report: [0.5, 0.25], isFailing: false })
    await expect.poll(costOf, sealed).toBe(6.75)
    await crib.call('demo.priced', { report: [10], isFailing: true })
    await expect.poll(costOf, sealed).toBe(16.75)
  })

  test('what every try reported counts, also of those that failed', async () => {
    const { callId } = await crib.call('demo.retried', {})
    const settled = await crib.api.findCall(owner, { id: callId ?? '', wait: 60 })
    expect(settled.status).toBe('completed')
    const subject = { kind: 'tool', id: 'demo.retried' } as const
    await expect
      .poll(() => store.usage.total('default', today(), subject), sealed)
      .toMatchObject({ calls: 1, cost: 4 })
  })

  test('a tool that reports an invalid cost gets an error', async () => {
    for (const report of [[-1], [1e9, 1], [2e9]]) {
      const result = await crib.call('demo.priced', { report, isFailing: false })
      expect(result).toMatchObject({ status: 'failed', error: { code: 'tool_failed' } })
    }
  })
})

describe('who may look', () => {
  const withScopes = (permissions: string[], tenant = 'default'): Caller => ({
    ...owner,
    tenant,
    permissions,
  })

  test('the audit needs audit.read, the figures usage.read', async () => {
    const { api } = crib
    const nobody = withScopes(['tools.call', 'usage.read'])
    const refused = { code: 'forbidden' }
    await expect(api.listAudit(nobody, { limit: 1 })).rejects.toMatchObject(refused)
    await expect(api.verifyAudit(nobody, { after: 0 })).rejects.toMatchObject(refused)
    await expect(api.exportAudit(nobody, { format: 'csv' })).rejects.toMatchObject(refused)
    const auditor = withScopes(['audit.read'])
    const query = { from: today(), to: today(), by: 'day' } as const
    await expect(api.readUsage(auditor, query)).rejects.toMatchObject(refused)
    expect(await api.listAudit(auditor, { limit: 1 })).toMatchObject({ items: [] })
  })

  test('each tenant sees its own, and only the first may check the others', async () => {
    const { api } = crib
    await crib.call('demo.priced', { report: [], isFailing: false })
    const acme = withScopes(['*'], 'acme')
    const days = { from: today(), to: today() }
    expect(await api.listAudit(acme, { limit: 10 })).toEqual({ items: [] })
    await expect
      .poll(() => api.readUsage(owner, { ...days, by: 'tool' }), sealed)
      .toMatchObject({ items: [{ calls: 1 }] })
    expect((await api.readUsage(acme, { ...days, by: 'tool' })).items).toEqual([])
    const missing = { code: 'not_found', message: 'There is no tenant "default"' }
    await expect(api.verifyAudit(acme, { after: 0, tenant: 'default' })).rejects.toMatchObject(
      missing,
    )
    await expect(api.verifyAudit(owner, { after: 0, tenant: 'nope' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await api.verifyAudit(owner, { after: 0, tenant: 'acme' })).toMatchObject({
      unsealed: 0,
    })
  })

  test('a period that is too long or backwards is refused', async () => {
    for (const [from, to] of [
      ['2026-03-02', '2026-03-01'],
      ['2020-01-01', '2026-03-01'],
    ] as const) {
      await expect(crib.api.readUsage(owner, { from, to, by: 'day' })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
  })
})

describe('a copy over HTTP', () => {
  const open = async () => {
    const { token } = await crib.api.createKey(owner, { name: 'audit', scopes: ['audit.read'] })
    const app = createHttpApp({ api: crib.api, version: '0' })
    const ask = (path: string) =>
      app.request(path, { headers: { authorization: `Bearer ${token}` } })
    return { app, ask }
  }
  const record = async (count: number) => {
    const event = {
      type: 'secret.written',
      at: Date.now(),
      data: { name: 'x'.repeat(200), version: 1 },
    } as const
    const events = Array.from({ length: count }, () => event)
    await store.events.record([{ tenant: 'default', principal: owner.principal, events }])
  }

  test('is told of before its first line, and does not hold itself', async () => {
    await record(3)
    const { ask } = await open()
    const text = await (await ask('/api/v1/audit/export?what=secrets')).text()
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['secret.written', 'secret.written', 'secret.written'])
    const { items } = await crib.api.listAudit(owner, { limit: 1 })
    expect(items[0]).toMatchObject({
      type: 'audit.exported',
      data: {
        format: 'jsonl',
        filter: {
          types: ['secret.written', 'secret.changed', 'secret.deleted', 'keyring.rotated'],
        },
      },
    })
  })

  test('goes on after an event, and refuses what is none before it begins', async () => {
    await record(4)
    const { ask } = await open()
    const whole = await (await ask('/api/v1/audit/export?format=csv&what=secrets')).text()
    const lines = whole.split('\r\n')
    const [, id] = /^"([\w-]+)"/.exec(lines[2] ?? '') ?? []
    const rest = await ask(`/api/v1/audit/export?format=csv&what=secrets&after=${id}`)
    expect((await rest.text()).split('\r\n')).toEqual(lines.slice(3))
    expect((await ask('/api/v1/audit/export?after=nonsense')).status).toBe(400)
  })

  test('is read only as fast as it is taken, and ends when the reader leaves', async () => {
    await record(3000)
    const { app, ask } = await open()
    let pages = 0
    const list = store.audit.list.bind(store.audit)
    store.audit.list = (tenant, query) => {
      pages += 1
      return list(tenant, query)
    }
    const response = await ask('/api/v1/audit/export')
    const reader = response.body?.getReader()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(pages).toBeLessThanOrEqual(2)
    await reader?.cancel()
    const before = pages
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(pages).toBe(before)
    app.drain()
  })

  test('breaks when the server drains, rather than look complete', async () => {
    await record(3000)
    const { app, ask } = await open()
    const response = await ask('/api/v1/audit/export')
    const reader = response.body?.getReader()
    await reader?.read()
    app.drain()
    const readOn = async () => {
      while ((await reader?.read())?.done === false);
    }
    await expect(readOn()).rejects.toThrow('The copy was broken off')
  })
})
