import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { defaultQueue, jobSchema } from '../core/pipeline/record/work-order.ts'
import type { Job, JobTable, SqlRunner, WorkQueue } from '../core/work-ports.ts'
import { toInsert, toJobId, toAttempt, byQueue } from './boss-jobs.ts'
import { type BossQueueOptions, createPacer, take } from './take-jobs.ts'

/** The minimum of pg-boss. A node that is silent for this long has lost its jobs. */
const heartbeatSeconds = 10
/** The delay of a job that was returned or lost its node. */
const restSeconds = 1
const never = 2_000_000_000
/** One second to the first, and twice as long to each that follows. */
const startRetries = 4
/** Longer than any tool may run; the heartbeat detects dead nodes. */
const expireInSeconds = 86_400 - 1
/** Jobs wait for their time, or for a node with their tool, however long that takes. */
const retentionSeconds = 10 * 365 * 86_400
/** Nothing has it, so that a fetch with it only warms up. */
const unusedPriority = 1_000_000

/** The queue on pg-boss, in the store's own database. It holds only what must still be run. */
export async function openBossQueue(options: BossQueueOptions): Promise<WorkQueue> {
  const { jobs } = options
  const boss = await startBoss(options)
  const known = new Map<string, Promise<void>>()
  const prepare = (queue: string) => {
    const ready =
      known.get(queue) ??
      openQueue(boss, queue).catch((error: unknown) => {
        known.delete(queue)
        throw error
      })
    known.set(queue, ready)
    return ready
  }
  await prepare(defaultQueue)
  await Promise.all([...options.limits().keys()].map(prepare))
  if (options.kind === 'pglite') await freeTaken(boss, jobs.sql)
  jobs.connect(createJobTable(boss))
  const isTimeToLook = createPacer()
  return {
    take: (limit) => take(limit, { boss, options, prepare, isTimeToLook }),
    async keep(held) {
      for (const [queue, own] of byQueue(held)) await boss.touch(queue, own.map(toAttempt))
    },
    async drop(held) {
      for (const [queue, own] of byQueue(held)) await boss.deleteJob(queue, own.map(toAttempt))
    },
    async handBack(held, afterMs) {
      for (const [queue, own] of byQueue(held)) {
        if (afterMs <= restSeconds * 1000) await boss.fail(queue, own.map(toAttempt))
        else await jobs.transact((db) => restLonger({ boss, db, queue }, own, afterMs))
      }
    },
    async rest(job, ms) {
      await boss.fail(job.queue, [toAttempt(job)])
      await jobs.sql.executeSql(restJobs, [job.tenant, ms / 1000, 'active'])
    },
    async rouse(tenant) {
      await jobs.sql.executeSql(rouseJobs, [tenant, 'active'])
      jobs.announce()
    },
    async restore(lacking) {
      for (const [queue, own] of byQueue(lacking)) {
        await prepare(queue)
        await boss.insert(queue, own.map(toInsert))
      }
    },
    prepare,
    waiting: () => countWaiting(jobs.sql),
    watch: (listener) => jobs.watch(listener),
    stop: () => boss.stop({ graceful: false, close: false }),
  }
}

/**
 * Several nodes may create the tables at once; the losers retry, with nothing left of their first
 * attempt.
 */
async function startBoss(options: BossQueueOptions): Promise<PgBoss> {
  for (let attempt = 0; ; attempt++) {
    const boss = createBoss(options)
    try {
      return await boss.start()
    } catch (error) {
      await boss.stop({ graceful: false, close: false }).catch(() => undefined)
      if (attempt === startRetries) throw error
      await sleep(1000 * 2 ** attempt)
    }
  }
}

/** A job rests as long as all of its queue do; one whose time is known rests until then. */
async function restLonger(
  { boss, db, queue }: { boss: PgBoss; db: SqlRunner; queue: string },
  held: readonly Job[],
  afterMs: number,
): Promise<void> {
  await boss.fail(queue, held.map(toAttempt), null, { db })
  await db.executeSql(
    `update ${jobSchema}.job set start_after = now() + make_interval(secs => $1::float8 / 1000)
      where name = $2 and state = 'retry' and id = any ($3::uuid[])`,
    [afterMs, queue, `{${held.map(toJobId).join(',')}}`],
  )
}

/** The first use of a queue reads its settings; inside a transaction of the embedded store that would wait for itself. */
async function openQueue(boss: PgBoss, queue: string): Promise<void> {
  // Creating a queue takes a lock and a transaction, and leaves an existing queue unchanged.
  if ((await boss.getQueue(queue)) === null) await boss.createQueue(queue, queueSettings)
  await boss.fetch(queue, { batchSize: 1, minPriority: unusedPriority })
}

/**
 * The folder's lock proves that the previous owner is dead, so there is no need to wait for its
 * leases to expire.
 */
async function freeTaken(boss: PgBoss, sql: SqlRunner): Promise<void> {
  const { rows } = await sql.executeSql(
    `select name, array_agg(id::text) as ids from ${jobSchema}.job where state = $1 group by name`,
    ['active'],
  )
  for (const { name, ids } of rows) await boss.fail(String(name), ids as string[])
}

const queueSettings = {
  heartbeatSeconds,
  expireInSeconds,
  retentionSeconds,
  retryLimit: never,
  retryDelay: restSeconds,
  retryBackoff: false,
}

function createBoss({ kind, jobs, onWarning }: BossQueueOptions): PgBoss {
  const boss = new PgBoss({
    db: jobs.sql,
    backend: kind === 'pglite' ? 'pglite' : 'postgres',
    schema: jobSchema,
    // Schedules are ours, and so is the waking up.
    schedule: false,
    useListenNotify: false,
    // Leases end because a node died. An embedded crib has no other, and frees its own when it starts.
    superviseIntervalSeconds: kind === 'pglite' ? 60 : 1,
    monitorIntervalSeconds: kind === 'pglite' ? 60 : 1,
    maintenanceIntervalSeconds: 300,
    persistQueueStats: false,
    persistWarnings: false,
  })
  boss.on('error', (error) => onWarning(`The queue met an error: ${error.message}`))
  return boss
}

/** The writes that the store makes in its own transactions. */
function createJobTable(boss: PgBoss): JobTable {
  return {
    async add(added, db) {
      for (const [queue, own] of byQueue(added)) await boss.insert(queue, own.map(toInsert), { db })
    },
    async remove(removed, db) {
      for (const [queue, own] of byQueue(removed)) {
        await boss.deleteJob(queue, own.map(toJobId), { db })
      }
    },
  }
}

/**
 * All jobs of a tenant in one statement: taking them one by one only to return them would delay
 * others.
 */
const restJobs = `update ${jobSchema}.job set start_after = now() + make_interval(secs => $2),
    data = data || jsonb_build_object('due', coalesce(data ->> 'due', start_after::text))
  where state < $3 and data ->> 'tenant' = $1 and start_after < now() + make_interval(secs => $2)`

const rouseJobs = `update ${jobSchema}.job
  set start_after = (data ->> 'due')::timestamptz, data = data - 'due'
  where state < $2 and data ->> 'tenant' = $1 and data ->> 'due' is not null`

async function countWaiting(sql: SqlRunner): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql.executeSql(
    `select data ->> 'tenant' as tenant, count(*)::int as waiting from ${jobSchema}.job
      where state < $1 group by 1`,
    ['active'],
  )
  return new Map(rows.map(({ tenant, waiting }) => [String(tenant), Number(waiting)]))
}
