import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect } from 'vitest'
import type { CallRecord } from '../../src/core/kernel/call.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const tools = path.join(import.meta.dirname, '../fixtures/composition-tools')

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Servers with the tools of `fixtures/composition-tools` on one store. */
export interface Fleet {
  folder: string
  nodes: ServerProcess[]
  start(): Promise<ServerProcess>
}

/** An empty store and folder, removed after the test. Nothing is started yet. */
export async function openFleet(
  store: 'embedded' | 'postgres',
  env: Record<string, string> = {},
): Promise<Fleet> {
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
        ...env,
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

/** The body of a response. */
export async function json<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}

/** What people and outside workers do, again and again until everything is answered. */
export async function answerAll(node: ServerProcess, folder: string): Promise<void> {
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

/**
 * The steps by the id in their input; each was made once. Inline reads have no key in the store: those
 * that may be there twice are named.
 */
export async function readSteps(
  node: ServerProcess,
  callId: string,
  mayBeTwice: readonly string[] = [],
): Promise<Map<string, CallRecord>> {
  const { items } = await json<{ items: CallRecord[] }>(
    await node.request(`/api/v1/calls?parent=${callId}&limit=100`),
  )
  const kept = items.filter(({ error }) => error?.code !== 'interrupted')
  const keys = kept.flatMap(({ stepKey = '' }) => (mayBeTwice.includes(stepKey) ? [] : stepKey))
  expect(keys).toHaveLength(new Set(keys).size)
  return new Map(kept.map((call) => [(call.input as { id: string }).id, call]))
}
