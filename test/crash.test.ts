import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord, CallResult } from '../src/core/kernel/call.ts'
import type { CribEvent } from '../src/core/events/event.ts'
import { settledEventTypes } from '../src/core/crib-api.ts'
import { createTempDatabase, type TempDatabase } from '../src/store/contract/temp-store.ts'
import { crashStores } from './setup/crash-stores.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const tools = path.join(import.meta.dirname, 'fixtures/crash-tools')

describe.each(crashStores('embedded'))('after kill -9 on the %s store', (store) => {
  let folder: string
  let database: TempDatabase | undefined
  /** The one that runs now. Each test begins with what the one before has left, as a server does. */
  let server: ServerProcess
  const start = async () => {
    server = await startServerProcess({
      cwd: folder,
      data: path.join(folder, 'data'),
      args: ['--tools', tools, ...(database === undefined ? [] : ['--database', database.url])],
      env: { CRASH_EFFECTS: path.join(folder, 'effects') },
    })
    return server
  }
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'toolcrib crash '))
    await writeFile(
      path.join(folder, 'toolcrib.config.yaml'),
      'limits: { nodeTimeoutMs: 1500, drainMs: 1500 }\n',
    )
    database = store === 'embedded' ? undefined : await createTempDatabase()
    await start()
  })
  afterAll(async () => {
    await server?.kill().catch(() => undefined)
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('every acknowledged call is there, every effect has its record, and nothing ran twice', async () => {
    const first = server
    const acknowledged = new Map<string, CallResult>()
    const stop = new AbortController()
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; !stop.signal.aborted; turn += 1) {
        const id = `w${writer}-${turn}`
        const tool = turn % 3 === 0 ? 'crash.read' : 'crash.write'
        // A read without a key is written with its end, and embedded it lies in the journal first.
        const key = turn % 6 === 0 ? undefined : id
        const result = await call(first, { tool, input: { id, ms: turn % 5 }, key }).catch(
          () => undefined,
        )
        if (result !== undefined) acknowledged.set(id, result)
      }
    })
    await expect.poll(() => acknowledged.size).toBeGreaterThan(60)
    await first.kill()
    stop.abort()
    await Promise.all(writers)

    const second = await start()
    for (const [id, result] of acknowledged) {
      const record = await find(second, result.callId)
      expect([record.status, record.output]).toEqual(['completed', { id }])
    }
    // The same key again: the stored result, no second effect.
    const keyed = [...acknowledged].filter(([id]) => Number(id.split('-')[1]) % 6 !== 0)
    const [id, result] = keyed.at(-1) as [string, CallResult]
    const { tool } = await find(second, result.callId)
    const again = await call(second, {
      tool,
      input: { id, ms: Number(id.split('-')[1]) % 5 },
      key: id,
    })
    expect(again).toEqual(result)
    await expectOneEffectEach(second, folder)
    await expectWholeFeed(second)
  })

  test('calls cut off in the middle end as promised: interrupted, outcome_unknown, or run again', async () => {
    const first = server
    const slow = { id: 'slow', ms: 20_000 }
    const lost = [
      call(first, { tool: 'crash.write', input: slow, key: 'k1' }),
      call(first, { tool: 'crash.read', input: slow }),
    ].map((request) => request.catch(() => undefined))
    const short = { id: 'short', ms: 3000 }
    const background = await call(first, { tool: 'crash.background-read', input: short })
    const effectful = await call(first, {
      tool: 'crash.background-write',
      input: { id: 'bw', ms: 20_000 },
    })
    expect([background.status, effectful.status]).toEqual(['running', 'running'])
    await hasBegun(first, background, effectful)
    await isRecorded(first, 'crash.write', 'crash.read')
    await first.kill()
    await Promise.all(lost)

    const second = await start()
    const settled = async (callId: string | undefined) => find(second, callId, '?wait=60')
    const ended = await settled(background.callId)
    expect([ended.status, ended.output, ended.attempt]).toEqual(['completed', { id: 'short' }, 2])
    const unknown = await settled(effectful.callId)
    expect([unknown.status, unknown.error?.code, unknown.attempt]).toEqual([
      'failed',
      'outcome_unknown',
      1,
    ])
    const { items } = (await (await second.request('/api/v1/calls?limit=4')).json()) as {
      items: CallRecord[]
    }
    const byTool = Object.fromEntries(
      items.map((record) => [record.tool, [record.status, record.error?.code]]),
    )
    expect(byTool['crash.write']).toEqual(['failed', 'outcome_unknown'])
    expect(byTool['crash.read']).toEqual(['failed', 'interrupted'])
    // The key of a call whose outcome is unknown gives that answer, and does not run it again.
    const repeated = await call(second, { tool: 'crash.write', input: slow, key: 'k1' })
    expect(repeated.error?.code).toBe('outcome_unknown')
    await expectWholeFeed(second)
  })

  test('a stop lets calls finish, hands background work on that may be repeated, and exits with 0', async () => {
    const first = server
    const background = await call(first, {
      tool: 'crash.background-read',
      input: { id: 'handed on', ms: 3000 },
    })
    const running = call(first, { tool: 'crash.write', input: { id: 'last', ms: 700 } })
    await hasBegun(first, background)
    await isRecorded(first, 'crash.write')
    const exit = first.stop()
    expect((await running).status).toBe('completed')
    expect(await exit).toBe(0)
    const second = await start()
    const ended = await find(second, background.callId, '?wait=60')
    expect([ended.status, ended.output, ended.attempt]).toEqual([
      'completed',
      { id: 'handed on' },
      2,
    ])
    await expectWholeFeed(second)
  })
})

interface Request {
  tool: string
  input: object
  key?: string
}

async function call(to: ServerProcess, { tool, input, key }: Request): Promise<CallResult> {
  const headers = key === undefined ? undefined : { 'idempotency-key': key }
  const response = await to.request(`/api/v1/tools/${tool}/calls`, { json: { input }, headers })
  return (await response.json()) as CallResult
}

async function find(
  at: ServerProcess,
  callId: string | undefined,
  query = '',
): Promise<CallRecord> {
  const response = await at.request(`/api/v1/calls/${callId}${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as CallRecord
}

/** From the queue; until then nothing of it could be cut off. */
async function hasBegun(at: ServerProcess, ...calls: CallResult[]): Promise<void> {
  for (const { callId } of calls) {
    await expect.poll(async () => (await find(at, callId)).attempt).toBeGreaterThan(0)
  }
}

/** The newest calls are of these tools, among others. */
async function isRecorded(at: ServerProcess, ...tools: string[]): Promise<void> {
  const recorded = async () => {
    const page = await (await at.request('/api/v1/calls?limit=4')).json()
    return (page as { items: CallRecord[] }).items.map(({ tool }) => tool)
  }
  await expect.poll(recorded).toEqual(expect.arrayContaining(tools))
}

/** What really happened has a record that was there before, and happened once. */
async function expectOneEffectEach(at: ServerProcess, cwd: string): Promise<void> {
  const lines = (await readFile(path.join(cwd, 'effects'), 'utf8')).trim().split('\n')
  const callIds = lines.map((line) => line.split(' ')[1])
  expect(new Set(callIds).size).toBe(lines.length)
  expect(new Set(lines.map((line) => line.split(' ')[2])).size).toBe(lines.length)
  for (const callId of callIds) {
    const record = await find(at, callId, '?wait=60')
    expect(['completed', 'failed']).toContain(record.status)
    if (record.status === 'failed') expect(record.error?.code).toBe('outcome_unknown')
  }
}

/** Read page by page, every call has its events from 1 without gaps and ends exactly once. */
async function expectWholeFeed(at: ServerProcess): Promise<void> {
  const byCall = new Map<string, CribEvent[]>()
  let after = ''
  let hasMore = true
  while (hasMore) {
    const response = await at.request(`/api/v1/events?limit=97${after && `&after=${after}`}`)
    const page = (await response.json()) as { items: CribEvent[]; next: string; hasMore: boolean }
    for (const event of page.items) {
      if (event.callId !== undefined)
        byCall.set(event.callId, [...(byCall.get(event.callId) ?? []), event])
    }
    after = page.next
    hasMore = page.hasMore
  }
  expect(byCall.size).toBeGreaterThan(0)
  const ends: readonly string[] = settledEventTypes
  for (const events of byCall.values()) {
    expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1))
    expect(events.filter((event) => ends.includes(event.type))).toHaveLength(1)
  }
}
