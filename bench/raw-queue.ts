import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { PgBoss, fromPglite } from 'pg-boss'

type Query = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

const claimAtOnce = 20
const clients = 4
const width = 16

const table = `create table raw_jobs (
  id bigint generated always as identity primary key,
  state text not null default 'queued', data jsonb not null, result jsonb)`
const claim = `update raw_jobs set state = 'running' where id in (
  select id from raw_jobs where state = 'queued' order by id limit ${claimAtOnce}
  for update skip locked) returning id`
const settle = `update raw_jobs set state = 'done', result = $2 where id = $1`

/** What the database itself can do: claim twenty at a time, settle each by itself, four at once. */
export async function rawRate(query: Query, count: number): Promise<number> {
  await query('drop table if exists raw_jobs')
  await query(table)
  await query(`create index raw_jobs_queued on raw_jobs (id) where state = 'queued'`)
  await query(`insert into raw_jobs (data) select $1::jsonb from generate_series(1, ${count})`, [
    JSON.stringify({ note: 'x'.repeat(300) }),
  ])
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (true) {
        const { rows } = await query(claim)
        if (rows.length === 0) return
        for (const { id } of rows) await query(settle, [id, '{"done":true}'])
      }
    }),
  )
  return perSecond(count, startedAt)
}

/** The queue underneath, as one would use it first: send one, fetch one, complete one. */
export async function bossRate(boss: PgBoss, count: number): Promise<number> {
  await boss.start()
  await boss.createQueue('raw')
  const startedAt = performance.now()
  await inParallel(count, () => boss.send('raw', { note: 'x'.repeat(300) }))
  await inParallel(count, async () => {
    const [job] = await boss.fetch('raw')
    if (job !== undefined) await boss.complete('raw', job.id)
  })
  const rate = perSecond(count, startedAt)
  await boss.stop({ graceful: false, close: false })
  return rate
}

export async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: width })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

export function bossOnPool(pool: pg.Pool): PgBoss {
  return new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    supervise: false,
  })
}

export function bossOnPglite(pglite: PGlite): PgBoss {
  return new PgBoss({
    db: fromPglite(pglite),
    backend: 'pglite',
    schedule: false,
    supervise: false,
  })
}

async function inParallel(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left > 0) {
        left -= 1
        await work()
      }
    }),
  )
}

export function perSecond(count: number, startedAt: number): number {
  return count / ((performance.now() - startedAt) / 1000)
}
