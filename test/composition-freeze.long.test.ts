import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CallRecord } from '../src/core/kernel/call.ts'
import { answerAll, json, openFleet, readSteps } from './setup/graph-fleet.ts'

/** Far beyond the lease of a call and the time after which a node counts as gone. */
const frozenMs = 30_000
/** The read with which the composition begins, in which one node is frozen. */
const readMs = 1500

const scenes = [
  { kind: 'queued', answered: 'while it is frozen' },
  { kind: 'inline', answered: 'while it is frozen' },
  { kind: 'inline', answered: 'once it is back' },
] as const

test.each(scenes)(
  'a node that was frozen for 30 s in a composition ($kind, answered $answered) changes nothing',
  async ({ kind, answered }) => {
    const { folder, start } = await openFleet('postgres', { FIND_MS: String(readMs) })
    const [frozen, other] = [await start(), await start()]
    const call = frozen.request('/api/v1/tools/graph.all/calls', {
      json: { input: { id: 'g' } },
      headers: kind === 'queued' ? { prefer: 'respond-async' } : {},
    })
    // Its answer may come from a node that is not the one in charge any more.
    call.catch(() => undefined)
    const find = async () => {
      const page = await other.request('/api/v1/calls?tool=graph.all')
      const { items } = await json<{ items: CallRecord[] }>(page)
      return items[0]
    }
    await expect.poll(async () => (await find())?.startedAt).toBeDefined()
    await sleep(readMs / 3)
    process.kill(frozen.pid, 'SIGSTOP')
    const frozenAt = Date.now()
    const settle = async () => {
      await expect
        .poll(
          async () => {
            await answerAll(other, folder).catch(() => undefined)
            return (await find())?.settledAt
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBeDefined()
    }
    const steps = async () => readSteps(other, (await find())?.callId ?? '', ['find'])
    if (answered === 'while it is frozen') await settle()
    else
      await expect.poll(async () => (await steps()).has('g-write'), { timeout: 60_000 }).toBe(true)
    const before = [await find(), await steps()] as const
    await sleep(Math.max(0, frozenAt + frozenMs - Date.now()))

    process.kill(frozen.pid, 'SIGCONT')
    await expect.poll(async () => (await frozen.request('/healthz')).status).toBe(200)
    await sleep(readMs + 2000)
    if (answered === 'while it is frozen') expect(await find()).toEqual(before[0])
    await settle()
    const end = await find()
    expect([end?.status, end?.error]).toEqual(['completed', undefined])
    const after = await steps()
    for (const [id, { callId }] of before[1]) {
      if (id !== 'g-find') expect([id, after.get(id)?.callId]).toEqual([id, callId])
    }
    const effects = (await readFile(path.join(folder, 'effects'), 'utf8')).trim().split('\n')
    expect(effects).toHaveLength(53)
    expect(new Set(effects).size).toBe(53)
    // Everything rests on one and the same read.
    const { n, approved, end: last } = (end?.output ?? {}) as Record<string, number>
    expect([approved, last]).toEqual([n, n])
    expect(after.get('g-write')?.input).toMatchObject({ n })
  },
)
