import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { CallRecord, CallResult } from '../src/core/kernel/call.ts'
import type { EventPage } from '../src/core/events/event-log.ts'
import { followAll } from './setup/event-reader.ts'
import { createNodes, type Nodes } from './setup/nodes.ts'
import type { ServerProcess } from './setup/server-process.ts'
import { variants } from './setup/run-length.ts'

/** Longer than a busy machine may stop one of the nodes: the others would settle its calls. */
const nodeTimeoutMs = 12_000

/** Three nodes go through it all, one outage after the other: what one left behind would show in the next. */
let nodes: Nodes
let servers: ServerProcess[]
beforeAll(async () => {
  nodes = await createNodes({ limits: { nodeTimeoutMs } })
  servers = await Promise.all(['a', 'b', 'c'].map((name) => nodes.start(name)))
})
afterAll(() => nodes.close())

const nodeAt = (index: number) => servers[index] as ServerProcess
const areReady = async () => {
  const statuses = await Promise.all(servers.map((node) => statusOf(node, '/readyz')))
  return statuses.every((status) => status === 200)
}
// An outage is over for the next test when it is over for every node.
afterEach(async () => {
  nodes.faults.restore()
  nodes.faults.thaw()
  while (!(await areReady())) await sleep(50)
})

const calls = (tool: string) => `/api/v1/tools/crash.${tool}/calls`

async function call(node: ServerProcess, tool: string, ms: number): Promise<CallResult> {
  const response = await node.request(calls(tool), { json: { input: { id: tool, ms } } })
  return (await response.json()) as CallResult
}

async function createKey(node: ServerProcess): Promise<string> {
  const response = await node.request('/api/v1/keys', { json: { name: 'k', scopes: ['*'] } })
  return ((await response.json()) as { token: string }).token
}

/** What a request that needs the database is answered with, as far as a client acts on it. */
async function answerOf(
  node: ServerProcess,
  route: string,
  init: Parameters<ServerProcess['request']>[1],
) {
  const response = await node.request(route, init)
  const text = await response.text()
  return [
    response.status,
    response.headers.get('content-type'),
    Number(response.headers.get('retry-after')) > 0,
    text.includes('"retryable":true'),
  ]
}

const statusOf = async (node: ServerProcess, route: string) => (await node.request(route)).status

/** Waits until a call runs there. */
async function isRunning(node: ServerProcess): Promise<void> {
  await expect
    .poll(async () => (await node.request('/metrics')).text())
    .toContain('toolcrib_calls_running 1')
}

test('while PostgreSQL is gone every request is a 503 that says when to come back, and then all goes on', async () => {
  const node = nodeAt(0)
  const token = await createKey(node)
  const body = { input: { id: 'x', ms: 0 } }
  const id = 'call_00000000000000000000000000000000'
  const asks: [string, Parameters<ServerProcess['request']>[1]][] = [
    [calls('read'), { json: body }],
    [calls('write'), { json: body }],
    [calls('background-read'), { json: body }],
    [calls('write'), { json: body, headers: { 'idempotency-key': 'k' } }],
    [calls('write'), { json: body, headers: { prefer: 'respond-async' } }],
    [calls('write'), { json: body, headers: { accept: 'text/event-stream' } }],
    ['/api/v1/calls', {}],
    [`/api/v1/calls/${id}?wait=5`, {}],
    [`/api/v1/calls/${id}/cancel`, { json: {} }],
    [`/api/v1/calls/${id}/artifact`, {}],
    ['/api/v1/events', {}],
    ['/api/v1/events', { headers: { accept: 'text/event-stream' } }],
    ['/api/v1/secrets', {}],
    ['/api/v1/secrets/x', { method: 'PUT', body: '{"value":"long enough"}' }],
    ['/api/v1/keys', {}],
    ['/api/v1/keys', { json: { name: 'k', scopes: ['tools.call'] } }],
  ]
  const tour = (more: Record<string, string>) =>
    Promise.all(
      asks.map(([route, init]) =>
        answerOf(node, route, { ...init, headers: { ...init?.headers, ...more } }),
      ),
    )
  nodes.faults.cut()
  const refusals = asks.map(() => [503, 'application/problem+json', true, true])
  // The owner's key is in no database: its requests get as far as the work itself.
  expect(await tour({})).toEqual(refusals)
  await sleep(1_200)
  expect(await tour({ authorization: `Bearer ${token}` })).toEqual(refusals)
  expect([await statusOf(node, '/healthz'), await statusOf(node, '/readyz')]).toEqual([200, 503])
  nodes.faults.restore()
  await expect.poll(() => statusOf(node, '/readyz')).toBe(200)
  expect((await call(node, 'write', 0)).status).toBe('completed')
  // Whoever reads the log learns of both, in this order.
  await expect.poll(() => node.errors()).toMatch(/changes was interrupted[^]*The database is back/)
})

test('a reader on another node gets every event once over an outage, and is woken as before after it', async () => {
  const [near, far] = [nodeAt(0), nodeAt(1)]
  const { next } = (await (await near.request('/api/v1/events?after=now')).json()) as EventPage
  const reader = followAll(far.url, { token: far.key, after: next })
  for (let turn = 0; turn < 5; turn += 1) await call(near, 'write', 0)
  nodes.faults.cut()
  await sleep(2_500)
  nodes.faults.restore()
  await expect.poll(() => statusOf(near, '/readyz')).toBe(200)
  for (let turn = 0; turn < 5; turn += 1) await call(near, 'write', 0)
  // Asked for again each time: what an outage has held back may still come.
  let written: string[] = []
  const countWritten = async () => {
    const response = await near.request(`/api/v1/events?limit=1000&after=${next}`)
    const page = (await response.json()) as EventPage
    written = page.items.map(({ id }) => id)
    return written.length
  }
  const isThrough = async () => (await countWritten()) === reader.ids.length
  await expect.poll(isThrough).toBe(true)
  // Let the reader's own pause pass and the connection that listens come back.
  await sleep(1_500)
  const medianDelay = async () => {
    const delays: number[] = []
    for (let turn = 0; turn < 9; turn += 1) {
      const seen = reader.ids.length
      await call(near, 'write', 0)
      // From its answer on: how long the call itself takes is up to the machine.
      const before = performance.now()
      while (reader.ids.length === seen) await sleep(2)
      delays.push(performance.now() - before)
      await sleep(130)
    }
    return delays.toSorted((a, b) => a - b)[4] ?? 0
  }
  // By its poll alone a reader is half a second late on average; woken, it is not. A busy machine has
  // many tries.
  let bestMs = Infinity
  for (let round = 0; round < 20 && bestMs >= 250; round += 1) {
    bestMs = Math.min(bestMs, await medianDelay())
  }
  expect(bestMs).toBeLessThan(250)
  await reader.stop()
  expect(reader.ids.slice(0, written.length)).toEqual(written)
  expect([reader.failures, reader.connections]).toEqual([[], 1])
})

test.each(variants<'cut' | 'freeze'>(['cut'], ['freeze']))(
  'calls that ran through a %s longer than a node may be silent are settled by the nodes that ran them',
  async (fault) => {
    const running = servers.map((node) => call(node, 'write', nodeTimeoutMs + 6_000))
    await Promise.all(servers.map(isRunning))
    nodes.faults[fault]()
    await sleep(nodeTimeoutMs + 1_000)
    if (fault === 'cut') nodes.faults.restore()
    else nodes.faults.thaw()
    expect((await Promise.all(running)).map(({ status, error }) => [status, error])).toEqual(
      servers.map(() => ['completed', undefined]),
    )
  },
)

test('a call that ends while PostgreSQL is gone is not confirmed, not repeated, and settled when it is back', async () => {
  const node = nodeAt(0)
  const calling = call(node, 'write', 2_000)
  await isRunning(node)
  nodes.faults.cut()
  const { callId, status, error } = await calling
  expect([status, error?.code, error?.retryable]).toEqual(['failed', 'record_failed', false])
  nodes.faults.restore()
  const find = async () => {
    const response = await node.request(`/api/v1/calls/${callId}`)
    return ((await response.json()) as CallRecord).status
  }
  await expect.poll(find).toBe('completed')
})

test('a node that went through all of that stops as any other', async () => {
  expect(await nodes.stop(nodeAt(2))).toBe(0)
  servers.pop()
})
