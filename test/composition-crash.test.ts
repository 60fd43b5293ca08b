import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { CallRecord } from '../src/core/kernel/call.ts'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { isLongRun, variants } from './setup/run-length.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const tools = path.join(import.meta.dirname, 'fixtures/composition-tools')
/** At random points of the composition; with two nodes, of one after the other. */
const kills = isLongRun ? 20 : 2

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Fleet {
  folder: string
  nodes: ServerProcess[]
  start(): Promise<ServerProcess>
}

async function openFleet(store: 'embedded' | 'postgres'): Promise<Fleet> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib graph '))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    path.join(folder, 'toolcrib.config.yaml'),
    'limits: { nodeTimeoutMs: 1500, drainMs: 1500 }\n',
  )
  const database = store === 'embedded' ? undefined : await createTempDatabase()
  if (database !== undefined) closing.push(database.drop)
  const nodes: ServerProcess[] = []
  let count = 0
  const start = async () => {
    const data = store === 'embedded' ? 'data' : `data-${(count += 1)}`
    const node = await startServerProcess({
      cwd: folder,
      data: path.join(folder, data),
      args: ['--tools', tools, ...(database === undefined ? [] : ['--database', database.url])],
      env: {
        CRASH_EFFECTS: path.join(folder, 'effects'),
        TOOLCRIB_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    })
    closing.push(() => node.kill().catch(() => undefined))
    nodes.push(node)
    return node
  }
  return { folder, nodes, start }
}

async function json<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}

/** What people and outside workers do, again and again until everything is answered. */
async function answerAll(node: ServerProcess, folder: string): Promise<void> {
  const pending = await json<{ items: { id: string }[] }>(
    await node.request('/api/v1/approvals?status=pending'),
  )
  for (const { id } of pending.items) {
    await node.request(`/api/v1/approvals/${id}/decision`, { json: { decision: 'approve' } })
  }
  const handed = await readFile(path.join(folder, 'effects-outside'), 'utf8').catch(() => '')
  for (const line of handed.split('\n').filter(Boolean)) {
    const { id, url, token } = JSON.parse(line) as Record<'id' | 'url' | 'token', string>
    await fetch(`${node.url}${new URL(url).pathname}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'completed', response: { id } }),
    })
  }
}

interface Scene {
  store: 'embedded' | 'postgres'
  width: number
}

const scenes = variants<Scene>(
  [{ store: 'postgres', width: 1 }],
  [
    { store: 'embedded', width: 1 },
    { store: 'postgres', width: 2 },
  ],
)

test.each(scenes)(
  'a composition survives kill -9 on the $store store with $width nodes: nothing is lost or done twice',
  async ({ store, width }) => {
    const fleet = await openFleet(store)
    for (let index = 0; index < width; index += 1) await fleet.start()
    let node = fleet.nodes[0] as ServerProcess
    const began = await json<CallRecord>(
      await node.request('/api/v1/tools/graph.all/calls', {
        json: { input: { id: 'g' } },
        headers: { prefer: 'respond-async' },
      }),
    )
    for (let kill = 0; kill < kills; kill += 1) {
      // The moment is meant to be a random one: nothing is waited for.
      await sleep(Math.random() * 400)
      // Answers come at any time, also while a server dies.
      if (kill % 2 === 1) await answerAll(node, fleet.folder).catch(() => undefined)
      await fleet.nodes.shift()?.kill()
      await fleet.start()
      node = fleet.nodes[0] as ServerProcess
    }
    const find = async () =>
      json<CallRecord>(await node.request(`/api/v1/calls/${began.callId}`)).catch(() => undefined)
    await expect
      .poll(
        async () => {
          await answerAll(node, fleet.folder).catch(() => undefined)
          return (await find())?.settledAt
        },
        { timeout: 120_000, interval: 200 },
      )
      .toBeDefined()
    const end = await find()
    const lines = (await readFile(path.join(fleet.folder, 'effects'), 'utf8')).trim().split('\n')
    expect(lines.length).toBe(new Set(lines).size)
    const steps = await readSteps(node, began.callId)
    // Every effect has its record.
    for (const line of lines) expect(steps.has(line), line).toBe(true)
    if (end?.status === 'failed') {
      // Killed in the middle of an effect: nobody knows, so it is not made a second time.
      expect(end.error?.code).toBe('outcome_unknown')
      return
    }
    expect(end?.status).toBe('completed')
    const { n, approved, end: last } = (end?.output ?? {}) as Record<string, number>
    expect([approved, last]).toEqual([n, n])
    expect(lines).toHaveLength(53)
    expect(steps.size).toBe(55)
  },
)

/** The steps by the id in their input; each was made once. */
async function readSteps(node: ServerProcess, callId: string): Promise<Map<string, CallRecord>> {
  const { items } = await json<{ items: CallRecord[] }>(
    await node.request(`/api/v1/calls?parent=${callId}&limit=100`),
  )
  const kept = items.filter(({ error }) => error?.code !== 'interrupted')
  const keys = kept.map(({ stepKey }) => stepKey)
  expect(keys).toHaveLength(new Set(keys).size)
  return new Map(kept.map((call) => [(call.input as { id: string }).id, call]))
}
