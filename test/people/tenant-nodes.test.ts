import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRecord, CallResult } from '../../src/core/kernel/call.ts'
import { tenantTables } from '../../src/store/tenant-removal.ts'
import { createNodes, type Nodes } from '../setup/nodes.ts'
import type { ServerProcess } from '../setup/server-process.ts'

let nodes: Nodes
let one: ServerProcess
let two: ServerProcess
beforeAll(async () => {
  nodes = await createNodes()
  ;[one, two] = await Promise.all([nodes.start('one'), nodes.start('two')])
})
afterAll(() => nodes.close())

const inAcme = { 'toolcrib-tenant': 'acme' }

async function change(node: ServerProcess, path: string, init: { method: string; body?: object }) {
  const body = init.body === undefined ? undefined : JSON.stringify(init.body)
  const response = await node.request(`/api/v1${path}`, { method: init.method, body })
  return response.status
}

async function makeAcme(node: ServerProcess): Promise<string> {
  await node.request('/api/v1/tenants', { json: { slug: 'acme', name: 'Acme' } })
  const response = await node.request('/api/v1/keys', {
    json: { name: 'k', scopes: ['*'] },
    headers: inAcme,
  })
  return ((await response.json()) as { token: string }).token
}

async function queue(node: ServerProcess, more: object = {}, ms = 0): Promise<string> {
  const response = await node.request('/api/v1/tools/crash.background-write/calls', {
    json: { input: { id: 'x', ms }, ...more },
    headers: inAcme,
  })
  const { callId } = (await response.json()) as CallResult
  if (callId === undefined) throw new Error(`No call was made: ${response.status}`)
  return callId
}

async function until(isSo: () => Promise<boolean>, withinMs = 100_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not come to that in time')
    await sleep(50)
  }
}

test('every node turns a suspended tenant away, keeps what is queued, and runs it once it is resumed', async () => {
  const token = await makeAcme(one)
  const statusAt = async (node: ServerProcess) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await node.request('/api/v1/me', { headers })).status
  }
  await until(async () => (await statusAt(two)) === 200)
  const stream = await two.request('/api/v1/events', {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  })
  // Due once the tenant is suspended for sure.
  const calls = [await queue(one, { delay: 8 }), await queue(one, { delay: 8 })]
  expect(
    await change(one, '/tenants/acme', { method: 'PATCH', body: { status: 'suspended' } }),
  ).toBe(200)
  expect(await statusAt(one)).toBe(403)
  await until(async () => (await statusAt(two)) === 403)
  expect(await stream.text()).toContain('"code":"tenant_suspended"')
  // They became due, and a node has put them off.
  await until(async () => (await count(nodes, putOff)) === calls.length)
  await expect(readFile(nodes.effects, 'utf8')).rejects.toThrow('ENOENT')
  expect(await change(two, '/tenants/acme', { method: 'PATCH', body: { status: 'active' } })).toBe(
    200,
  )
  for (const callId of calls) {
    await until(async () => {
      const response = await two.request(`/api/v1/calls/${callId}`, { headers: inAcme })
      return ((await response.json()) as CallRecord).status === 'completed'
    })
  }
  const effects = (await readFile(nodes.effects, 'utf8')).trim().split('\n')
  expect(
    effects.map((line) => line.split(' ')[1] ?? '').toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(calls.toSorted())
})

test('a deletion that a crash cuts off is finished by another node, jobs and running calls included', async () => {
  // Alone from here on: what it runs, nobody else has.
  await two.kill()
  for (let made = 0; made < 5; made += 1) {
    await one.request('/api/v1/tools/crash.write/calls', {
      json: { input: { id: 'x', ms: 0 } },
      headers: inAcme,
    })
  }
  await queue(one, {}, 60_000)
  await queue(one, { delay: 3600 })
  expect(await change(one, '/tenants/acme', { method: 'DELETE' })).toBe(400)
  expect(await change(one, '/tenants/acme?confirm=acme', { method: 'DELETE' })).toBe(204)
  await one.kill()
  two = await nodes.start('two')
  expect((await two.request('/api/v1/me', { headers: inAcme })).status).toBe(404)
  await until(async () => (await change(two, '/tenants', { method: 'POST', body: acme })) === 201)
  const { audit_segments: segments = 0, audit_heads: heads = 0, ...left } = await countLeft(nodes)
  // Within a second what it has told is sealed.
  expect(Math.max(segments, heads)).toBeLessThanOrEqual(1)
  // Made anew, it has told of that, and has nothing else.
  expect({ ...left, audit_segments: 0, audit_heads: 0 }).toEqual({
    ...Object.fromEntries(tenantTables.map(({ name }) => [name, 0])),
    events: 1,
    jobs: 0,
  })
})

const acme = { slug: 'acme', name: 'Again' }

const jobsOfAcme = `toolcrib_jobs.job where data ->> 'tenant' = 'acme'`
const putOff = `${jobsOfAcme} and data ->> 'due' is not null`

async function countLeft(of: Nodes): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const tables = tenantTables.map(({ name }) => [name, `toolcrib.${name} where tenant = 'acme'`])
  for (const [name = '', source = ''] of [...tables, ['jobs', jobsOfAcme]]) {
    counts[name] = await count(of, source)
  }
  return counts
}

async function count({ database }: Nodes, source: string): Promise<number> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const { rows } = await client.query(`select count(*)::int as count from ${source}`)
    return rows[0].count
  } finally {
    await client.end()
  }
}
