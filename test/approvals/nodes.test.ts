import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ConfigInput } from '../../src/core/typing/config-input.ts'
import type { Approval } from '../../src/core/approvals/approval.ts'
import type { CallRecord } from '../../src/core/kernel/call.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'
import { crashStores } from '../setup/crash-stores.ts'

const tools = path.join(import.meta.dirname, '../fixtures/approval-tools')
const masterKey = `k1:${Buffer.alloc(32, 3).toString('base64')}`

/** Servers that share a store and what their tools did. */
async function createScene(store: 'embedded' | 'postgres', more: ConfigInput = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib approvals '))
  const limits = { nodeTimeoutMs: 1500, drainMs: 1500, concurrency: 1 }
  await writeFile(path.join(folder, 'toolcrib.config.json'), JSON.stringify({ limits, ...more }))
  const database = store === 'embedded' ? undefined : await createTempDatabase()
  const place = database === undefined ? [] : ['--database', database.url]
  const file = path.join(folder, 'effects')
  const servers: ServerProcess[] = []
  return {
    async start(name: string): Promise<ServerProcess> {
      const server = await startServerProcess({
        cwd: folder,
        data: path.join(folder, name),
        args: ['--tools', tools, ...place],
        env: { APPROVAL_EFFECTS: file, TOOLCRIB_MASTER_KEY: masterKey },
      })
      servers.push(server)
      return server
    },
    async effects(): Promise<string[]> {
      const text = await readFile(file, 'utf8').catch(() => '')
      return text.split('\n').filter(Boolean)
    },
    async close() {
      for (const server of servers) await server.kill().catch(() => undefined)
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ask(server: ServerProcess, tool: string, id: string): Promise<CallRecord> {
  const response = await server.request(`/api/v1/tools/${tool}/calls`, { json: { input: { id } } })
  expect(response.status).toBe(202)
  return (await response.json()) as CallRecord
}

async function pendingOn(server: ServerProcess): Promise<Approval[]> {
  const response = await server.request('/api/v1/approvals?status=pending')
  return ((await response.json()) as { items: Approval[] }).items
}

const decide = (server: ServerProcess, id: string, decision = 'approve') =>
  server.request(`/api/v1/approvals/${id}/decision`, { json: { decision } })

/** Approves the next thing that is asked for. */
async function approveNext(server: ServerProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const [first] = await pendingOn(server)
    if (first !== undefined) {
      expect((await decide(server, first.id)).status).toBe(200)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nobody was asked')
}

async function settled(server: ServerProcess, callId: string): Promise<CallRecord> {
  return (await (await server.request(`/api/v1/calls/${callId}?wait=60`)).json()) as CallRecord
}

describe('two nodes on one PostgreSQL', () => {
  let scene: Awaited<ReturnType<typeof createScene>>
  let a: ServerProcess
  let b: ServerProcess
  beforeAll(async () => {
    scene = await createScene('postgres')
    ;[a, b] = await Promise.all([scene.start('a'), scene.start('b')])
  })
  afterAll(() => scene.close())

  /** What was done of what has this id, or one that begins so. */
  const effectsOf = async (id: string) =>
    (await scene.effects()).filter((line) => line.split(' ')[0] === id)

  test('a request on one node is approved on another and runs once', async () => {
    const { callId, approvalId = '', waitingFor } = await ask(a, 'mail.send', 'one')
    expect(waitingFor).toBe('approval')
    expect((await pendingOn(b)).map(({ id }) => id)).toEqual([approvalId])
    expect((await decide(b, approvalId)).status).toBe(200)
    expect(await settled(a, callId)).toMatchObject({ status: 'completed', output: { sent: 'one' } })
    expect([await effectsOf('one'), await pendingOn(a)]).toEqual([['one'], []])
  })

  test('of fifty decisions at once on both, one counts and 49 are told so', async () => {
    const { callId, approvalId = '' } = await ask(a, 'mail.send', 'fifty')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => decide(index % 2 ? a : b, approvalId)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    await settled(b, callId)
    expect(await effectsOf('fifty')).toEqual(['fifty'])
  })

  test('a tool that waits for its calls continues on another node when its own is killed, two levels deep', async () => {
    const { callId, waitingFor } = await ask(a, 'news.weekly', 'w')
    expect(waitingFor).toBe('call')
    await a.kill()
    await approveNext(b)
    await approveNext(b)
    expect(await settled(b, callId)).toMatchObject({
      status: 'completed',
      output: [{ sent: 'w inner' }, { sent: 'w outer' }],
    })
    expect(await effectsOf('w')).toEqual(['w inner', 'w outer'])
  })
})

/** Refuses every notice until it is told to take them. */
async function openHook() {
  const hook = { url: '', isTaking: false, refused: 0, taken: [] as string[], close: () => {} }
  const server = createServer((request, response) => {
    if (hook.isTaking) hook.taken.push(request.headers['webhook-id'] as string)
    else hook.refused += 1
    const status = hook.isTaking ? 204 : 503
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  hook.close = () => server.close().closeAllConnections()
  return hook
}

test.each(crashStores('postgres'))(
  'kill -9 on the %s store between the yes and the run: it runs once, after the restart, and a notice that nobody took is delivered',
  async (store) => {
    const hook = await openHook()
    onTestFinished(hook.close)
    const scene = await createScene(store, { approvals: { webhook: { url: hook.url } } })
    onTestFinished(scene.close)
    const first = await scene.start('a')
    const { approvalId } = await ask(first, 'mail.send', 'nobody decides')
    await expect.poll(() => hook.refused, { timeout: 60_000 }).toBeGreaterThan(0)
    // Killed before it has noted that, its lease of half a minute would have to end first.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await ask(first, 'news.slow', 'holds the only place')
    const asked = [await ask(first, 'mail.send', 'one'), await ask(first, 'news.digest', 'two')]
    for (const { id } of await pendingOn(first)) {
      if (id !== approvalId) expect((await decide(first, id)).status).toBe(200)
    }
    expect(await scene.effects()).toEqual([])
    await first.kill()
    hook.isTaking = true
    const second = await scene.start('a')
    for (const { callId } of asked) {
      expect((await settled(second, callId)).status).toBe('completed')
    }
    const done = (await scene.effects()).toSorted((x, y) => (x < y ? -1 : 1))
    expect(done).toEqual(['one', 'two inner'])
    await expect.poll(() => hook.taken, { timeout: 60_000 }).toEqual([approvalId])
  },
)
