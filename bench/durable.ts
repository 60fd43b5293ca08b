import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { benchTool, sampleInput, withCrib } from './fixtures.ts'
import { briefSpan, type Figure, median, type Pace, ratePerSecond } from './measure.ts'

const width = 32
const span = { seconds: 3, rounds: 3 }

const table =
  'create table raw_insert (id bigint generated always as identity primary key, at timestamptz not null default now(), data jsonb not null)'
const insert = 'insert into raw_insert (data) values ($1)'
const row = JSON.stringify({ tool: 'bench.write', input: sampleInput, note: 'x'.repeat(200) })

/** A call with an effect, recorded before and after it, against one bare INSERT per turn on the same store. */
export async function benchDurable(databaseUrl: string, { isBrief }: Pace): Promise<Figure[]> {
  const each = isBrief ? briefSpan : span
  const embedded = await inTurns(withPglite, each)
  const shared = await inTurns((work) => withPool(databaseUrl, work), {
    ...each,
    database: databaseUrl,
  })
  return [
    figure('durable call, PGlite', embedded, 0.6),
    figure('durable call, PostgreSQL', shared, 0.4),
  ]
}

interface Rates {
  ours: number
  bare: number
}

type WithInsert = (work: (insertRow: () => Promise<unknown>) => Promise<number>) => Promise<number>

async function inTurns(
  withInsert: WithInsert,
  { seconds, rounds, ...options }: typeof span & { database?: string },
): Promise<Rates> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await withInsert((insertRow) => warmRate(insertRow, seconds)))
    ours.push(
      await withCrib({ ...options, tools: [benchTool('bench.write', 'write')] }, (crib) =>
        warmRate(async () => {
          const { status } = await crib.call('bench.write', sampleInput)
          if (status !== 'completed') throw new Error(`The call is ${status}`)
        }, seconds),
      ),
    )
  }
  return { ours: median(ours), bare: median(bare) }
}

async function warmRate(job: () => Promise<unknown>, seconds: number): Promise<number> {
  await ratePerSecond(width, 0.5, job)
  return ratePerSecond(width, seconds, job)
}

function figure(name: string, { ours, bare }: Rates, goal: number): Figure {
  const ratio = ours / bare
  return {
    name,
    value: ours,
    bare,
    ratio,
    unit: 'calls/s',
    goal: `≥ ${goal * 100} % of bare INSERT`,
    kept: ratio >= goal,
  }
}

async function withPglite(
  work: (insertRow: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const db = await PGlite.create(folder)
  try {
    await db.exec(table)
    return await work(() => db.query(insert, [row]))
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function withPool(
  url: string,
  work: (insertRow: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: width })
  try {
    await pool.query('drop table if exists raw_insert')
    await pool.query(table)
    return await work(() => pool.query({ name: 'raw', text: insert, values: [row] }))
  } finally {
    await pool.end()
  }
}
