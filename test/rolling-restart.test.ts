import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallResult } from '../src/core/kernel/call.ts'
import type { EventPage } from '../src/core/events/event-log.ts'
import { followAll } from './setup/event-reader.ts'
import { createNodes, type Nodes } from './setup/nodes.ts'
import { createReadyProxy } from './setup/ready-proxy.ts'
import type { ServerProcess } from './setup/server-process.ts'

// Several looks of the proxy; the deploy files take seconds, for proxies that look more rarely.
const drainDelayMs = 600

let nodes: Nodes
let ports: [number, number]
let servers: [ServerProcess, ServerProcess]
beforeAll(async () => {
  nodes = await createNodes({ server: { drainDelayMs } })
  servers = await Promise.all([nodes.start('a'), nodes.start('b')])
  // Each comes back where it was.
  ports = [portOf(servers[0]), portOf(servers[1])]
})
afterAll(() => nodes.close())

const portOf = ({ url }: ServerProcess) => Number(new URL(url).port)

/** Callers that never pause, until they are stopped; each request that did not end well is a failure. */
function load(url: string, token: string) {
  const failures: string[] = []
  const answered = { read: 0, write: 0, list: 0 }
  const over = new AbortController()
  const ask = async (kind: keyof typeof answered, turn: number) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ input: { id: `${kind}-${turn}`, ms: turn % 20 } })
    const response =
      kind === 'list'
        ? await fetch(`${url}/api/v1/calls?limit=5`, { headers })
        : await fetch(`${url}/api/v1/tools/crash.${kind}/calls`, { method: 'POST', headers, body })
    const answer = (await response.json()) as Partial<CallResult>
    const isGood = response.status === 200 && (kind === 'list' || answer.status === 'completed')
    if (isGood) answered[kind] += 1
    else failures.push(`${kind}: ${response.status} ${JSON.stringify(answer)}`)
  }
  const caller = async (kind: keyof typeof answered) => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      await ask(kind, turn).catch((error: unknown) => failures.push(`${kind}: ${String(error)}`))
    }
  }
  const kinds = ['read', 'read', 'read', 'write', 'write', 'write', 'list'] as const
  const callers = kinds.map(caller)
  return {
    failures,
    answered,
    async stop() {
      over.abort()
      await Promise.all(callers)
    },
  }
}

async function readEverything(node: ServerProcess, after: string): Promise<string[]> {
  const ids: string[] = []
  let page: EventPage = { items: [], next: after, hasMore: true }
  while (page.hasMore) {
    const response = await node.request(`/api/v1/events?limit=1000&after=${page.next}`)
    page = (await response.json()) as EventPage
    ids.push(...page.items.map(({ id }) => id))
  }
  return ids
}

test('two nodes are restarted one after the other under load, and nobody outside notices', async () => {
  const [first] = servers
  const created = await first.request('/api/v1/keys', { json: { name: 'load', scopes: ['*'] } })
  const { token } = (await created.json()) as { token: string }
  const { next: start } = (await (
    await first.request('/api/v1/events?after=now')
  ).json()) as EventPage
  const proxy = await createReadyProxy(ports.map((port) => `http://127.0.0.1:${port}`))
  const reader = followAll(proxy.url, { token, after: start })
  const work = load(proxy.url, token)
  await expect.poll(() => Math.min(...Object.values(work.answered))).toBeGreaterThan(5)
  for (const index of [0, 1] as const) {
    expect(await nodes.stop(servers[index])).toBe(0)
    expect(proxy.ready()).toHaveLength(1)
    servers[index] = await nodes.start(index === 0 ? 'a' : 'b', ports[index])
    await expect.poll(() => proxy.ready().length).toBe(2)
    await sleep(300)
  }
  await work.stop()
  expect([work.failures, reader.failures]).toEqual([[], []])
  const expected = await readEverything(servers[0], start)
  await expect.poll(() => reader.ids.length).toBe(expected.length)
  await reader.stop()
  await proxy.close()
  expect(reader.ids).toEqual(expected)
  const { read, write, list } = work.answered
  expect(Math.min(read, write, list, ...Object.values(proxy.sent()))).toBeGreaterThan(50)
  // It was cut off at least once, or this would prove nothing about coming back.
  expect(reader.connections).toBeGreaterThan(1)
  const effects = (await readFile(nodes.effects, 'utf8')).trim().split('\n')
  expect([effects.length, new Set(effects).size]).toEqual([write, write])
})

test('a second signal ends a node at once, whatever it waits for', async () => {
  const [node] = servers
  void node
    .request('/api/v1/tools/crash.read/calls', { json: { input: { id: 'r', ms: 30_000 } } })
    .catch(() => {})
  await expect
    .poll(async () => (await node.request('/metrics')).text())
    .toContain('toolcrib_calls_running 1')
  const stopping = nodes.stop(node)
  await expect.poll(async () => (await node.request('/readyz')).status).toBe(503)
  const before = Date.now()
  process.kill(node.pid, 'SIGTERM')
  expect(await stopping).toBe(130)
  // Its call would have run for half a minute.
  expect(Date.now() - before).toBeLessThan(25_000)
})
