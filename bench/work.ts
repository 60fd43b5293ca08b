import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Crib } from '../src/app/index.ts'
import { createDatabase, withCrib } from './fixtures.ts'
import { briefSpan, type Figure, median, type Pace } from './measure.ts'
import { bossOnPglite, bossOnPool, bossRate, perSecond, rawRate, withPool } from './raw-queue.ts'
import { backgroundTool, queueCalls } from './work-calls.ts'

const calls = 4000
const bossCalls = 600
const rounds = 3

/** Background calls from request to settled, with every event, against what the database and the bare queue can do. */
export async function benchWork(databaseUrl: string, { isBrief }: Pace): Promise<Figure[]> {
  const times = isBrief ? briefSpan.rounds : rounds
  const embedded = await inTurns(times, {
    ours: () => endToEnd({}),
    raw: withPglite((db) => rawRate((text, values) => db.query(text, values), calls)),
    boss: withPglite((db) => bossRate(bossOnPglite(db), bossCalls)),
  })
  const shared = await inTurns(times, {
    ours: () => endToEnd({ database: databaseUrl }),
    raw: onPool(databaseUrl, (pool) => rawRate((text, values) => pool.query(text, values), calls)),
    boss: onPool(databaseUrl, (pool) => bossRate(bossOnPool(pool), bossCalls)),
  })
  const nodes: Figure[] = []
  for (const count of [1, 2, 4]) nodes.push(await measureNodes(databaseUrl, count))
  return [
    ...figuresOf('PGlite', embedded, 0.6),
    ...figuresOf('PostgreSQL', shared, 0.25),
    ...nodes,
    await measureStart('PGlite', {}),
    await measureStart('PostgreSQL', { database: databaseUrl }),
  ]
}

type Measures = Record<'ours' | 'raw' | 'boss', () => Promise<number>>
type Rates = Record<keyof Measures, number>

/** In turns, so that a slow moment of the machine hits all alike. */
async function inTurns(times: number, measures: Measures): Promise<Rates> {
  const rates: Record<keyof Measures, number[]> = { ours: [], raw: [], boss: [] }
  for (let round = 0; round < times; round += 1) {
    for (const name of ['raw', 'ours', 'boss'] as const) rates[name].push(await measures[name]())
  }
  return { ours: median(rates.ours), raw: median(rates.raw), boss: median(rates.boss) }
}

function figuresOf(store: string, { ours, raw, boss }: Rates, goal: number): Figure[] {
  const common = { value: ours, unit: 'calls/s' }
  return [
    {
      name: `background call against raw SKIP LOCKED, ${store}`,
      ...common,
      bare: raw,
      ratio: ours / raw,
      goal: `≥ ${goal * 100} % of claim 20 and settle`,
      kept: ours / raw >= goal,
    },
    {
      name: `background call against pg-boss one by one, ${store}`,
      ...common,
      bare: boss,
      ratio: ours / boss,
      goal: '≥ 200 %',
      kept: ours / boss >= 2,
    },
  ]
}

async function endToEnd(options: { database?: string }): Promise<number> {
  let ran = 0
  return withCrib({ ...options, tools: [backgroundTool(() => (ran += 1))] }, async (crib) => {
    const runAll = async (count: number) => {
      ran = 0
      await queueCalls(crib, count)
      await untilSettled(crib, () => ran >= count)
    }
    await runAll(300)
    const startedAt = performance.now()
    await runAll(calls)
    return perSecond(calls, startedAt)
  })
}

/** All have run; a moment later all have settled. */
async function untilSettled(crib: Crib, haveRun: () => boolean): Promise<void> {
  while (!haveRun() || (await countOpen(crib)) > 0) await pause(3)
}

async function countOpen(crib: Crib): Promise<number> {
  const pages = await Promise.all(
    (['queued', 'running'] as const).map((status) =>
      crib.api.listCalls(owner, { status, limit: 1 }),
    ),
  )
  return pages.flatMap(({ items }) => items).length
}

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

/** Several processes on one database, each queueing its share and running what it gets. */
async function measureNodes(databaseUrl: string, count: number): Promise<Figure> {
  const database = await createDatabase(databaseUrl)
  const nodes: ChildProcess[] = []
  try {
    for (let index = 0; index < count; index += 1) {
      const args = [database, String(Math.floor(calls / count))]
      nodes.push(fork(path.join(import.meta.dirname, 'work-node.ts'), args))
    }
    await Promise.all(nodes.map((node) => once(node, 'message')))
    const startedAt = performance.now()
    for (const node of nodes) node.send('go')
    await Promise.all(nodes.map((node) => once(node, 'message')))
    await withPool(database, async (pool) => {
      const open = 'select from toolcrib.calls where settled_ms is null limit 1'
      while ((await pool.query(open)).rowCount !== 0) await pause(5)
    })
    const value = perSecond(calls, startedAt)
    return { name: `background calls, ${count} node(s) on PostgreSQL`, value, unit: 'calls/s' }
  } finally {
    for (const node of nodes) node.send('close')
    await Promise.all(nodes.map((node) => once(node, 'exit')))
  }
}

/** From the request to the tool's first line, one call after the other. */
async function measureStart(store: string, options: { database?: string }): Promise<Figure> {
  const delays: number[] = []
  const tool = backgroundTool((askedAt) => delays.push(performance.now() - askedAt))
  await withCrib({ ...options, tools: [tool] }, async (crib) => {
    for (let turn = 0; turn < 100; turn += 1) {
      const { callId = '' } = await crib.call('bench.background', { askedAt: performance.now() })
      await crib.api.findCall(owner, { id: callId, wait: 5 })
      await pause(15)
    }
  })
  const value = median(delays)
  const name = `request to start when idle, median, ${store}`
  return { name, value, unit: 'ms', goal: '< 12 ms', kept: value < 12 }
}

function withPglite(work: (db: PGlite) => Promise<number>): () => Promise<number> {
  return async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
    const db = await PGlite.create(folder)
    try {
      return await work(db)
    } finally {
      await db.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function onPool(
  serverUrl: string,
  work: (pool: Parameters<typeof bossOnPool>[0]) => Promise<number>,
): () => Promise<number> {
  return async () => withPool(await createDatabase(serverUrl), work)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
