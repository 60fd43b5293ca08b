import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Approval } from '../../src/core/approvals/approval.ts'
import type { CallRecord } from '../../src/core/call.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'

const tools = path.join(import.meta.dirname, '../fixtures/approval-tools')
const masterKey = `k1:${Buffer.alloc(32, 3).toString('base64')}`

let folder: string
const servers: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib approvals '))
  const limits = 'limits: { nodeTimeoutMs: 1500, drainMs: 1500, concurrency: 1 }\n'
  await writeFile(path.join(folder, 'toolcrib.config.yaml'), limits)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string, database: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess({
    cwd: folder,
    data: path.join(folder, name),
    args: ['--tools', tools, ...database],
    env: { APPROVAL_EFFECTS: path.join(folder, 'effects'), TOOLCRIB_MASTER_KEY: masterKey },
  })
  servers.push(server)
  return server
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
  return (await (await server.request(`/api/v1/calls/${callId}?wait=20`)).json()) as CallRecord
}

async function effects(): Promise<string[]> {
  const text = await readFile(path.join(folder, 'effects'), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

describe('two nodes on one PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTempDatabase>>
  let nodes: [ServerProcess, ServerProcess]
  beforeEach(async () => {
    database = await createTempDatabase()
    const place = ['--database', database.url]
    nodes = [await start('a', place), await start('b', place)]
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill().catch(() => undefined)
    await database.drop()
  })

  test('what is asked on one is approved on the other, and runs once', async () => {
    const [a, b] = nodes
    const { callId, approvalId = '', waitingFor } = await ask(a, 'mail.send', 'one')
    expect(waitingFor).toBe('approval')
    expect((await pendingOn(b)).map(({ id }) => id)).toEqual([approvalId])
    expect((await decide(b, approvalId)).status).toBe(200)
    expect(await settled(a, callId)).toMatchObject({ status: 'completed', output: { sent: 'one' } })
    expect([await effects(), await pendingOn(a)]).toEqual([['one'], []])
  })

  test('of fifty decisions at once on both, one counts and 49 are told so', async () => {
    const [a, b] = nodes
    const { callId, approvalId = '' } = await ask(a, 'mail.send', 'fifty')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => decide(index % 2 ? a : b, approvalId)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    await settled(b, callId)
    expect(await effects()).toEqual(['fifty'])
  })

  test('a tool that waits for calls it made goes on elsewhere when its node is killed, two levels deep', async () => {
    const [a, b] = nodes
    const { callId, waitingFor } = await ask(a, 'news.weekly', 'w')
    expect(waitingFor).toBe('call')
    await a.kill()
    await approveNext(b)
    await approveNext(b)
    expect(await settled(b, callId)).toMatchObject({
      status: 'completed',
      output: [{ sent: 'w inner' }, { sent: 'w outer' }],
    })
    expect(await effects()).toEqual(['w inner', 'w outer'])
  })
})

describe.each(['embedded', 'postgres'] as const)('on the %s store', (store) => {
  test('kill -9 between the yes and the run: it runs once, after the restart', async () => {
    const database = store === 'embedded' ? undefined : await createTempDatabase()
    const place = database === undefined ? [] : ['--database', database.url]
    const first = await start('a', place)
    await ask(first, 'news.slow', 'holds the only place')
    const asked = [await ask(first, 'mail.send', 'one'), await ask(first, 'news.digest', 'two')]
    for (const { id } of await pendingOn(first)) {
      expect((await decide(first, id)).status).toBe(200)
    }
    expect(await effects()).toEqual([])
    await first.kill()
    const second = await start('a', place)
    for (const { callId } of asked) {
      expect((await settled(second, callId)).status).toBe('completed')
    }
    expect((await effects()).toSorted((x, y) => (x < y ? -1 : 1))).toEqual(['one', 'two inner'])
    await second.kill()
    await database?.drop()
  })
})

test('a notice that nobody took is delivered after a crash and a restart', async () => {
  const got: string[] = []
  const hook = createServer((request, response) => {
    got.push(request.headers['webhook-id'] as string)
    request.resume().on('end', () => response.writeHead(204).end())
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => hook.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = hook.address() as AddressInfo
  await new Promise((resolve) => hook.close(resolve))
  const config = `approvals: { webhook: { url: 'http://127.0.0.1:${port}/' } }\n`
  await writeFile(path.join(folder, 'toolcrib.config.yaml'), config)
  const first = await start('a', [])
  const { approvalId } = await ask(first, 'mail.send', 'one')
  await first.kill()
  await listen(port)
  await start('a', [])
  // Killed in the middle of a try, its lease has to end first.
  for (let tries = 0; tries < 2400 && got.length === 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  expect(got).toEqual([approvalId])
  await new Promise((resolve) => hook.close(resolve).closeAllConnections())
}, 120_000)
