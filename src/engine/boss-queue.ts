import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { ToolError } from '../core/kernel/errors.ts'
import { defaultQueue, jobSchema } from '../core/pipeline/record/work-order.ts'
import type { Job, JobTable, SqlRunner, WorkOrder, WorkQueue } from '../core/work-ports.ts'
import type { Store } from '../core/ports.ts'

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
/** How often a node without limits looks into the queues of tools that had one. */
const lookEveryMs = 900
/** One node at a time counts and takes, where there is a limit to keep. */
const takeLock = 728_311_405

type NewJob = WorkOrder & Pick<Job, 'tenant' | 'callId'>

export interface BossQueueOptions {
  kind: Store['kind']
  /** The database's time. */
  now: Store['now']
  jobs: Store['jobs']
  /** Queues of tools with a limit of their own. */
  limits(): ReadonlyMap<string, number>
  /** How many jobs of one tenant may run at once, over all nodes. */
  tenantConcurrency?: number
  onWarning(message: string): void
}

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
  const isTimeToLook = createPacer(lookEveryMs)
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

/** True at most once per interval. */
function createPacer(everyMs: number): () => boolean {
  let next = 0
  return () => {
    const now = performance.now()
    if (now < next) return false
    next = now + everyMs
    return true
  }
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

interface Taking {
  boss: PgBoss
  options: BossQueueOptions
  prepare(queue: string): Promise<void>
  /** Now and then, where nothing is expected. */
  isTimeToLook(): boolean
}

async function take(limit: number, taking: Taking): Promise<Job[]> {
  const { boss, options, prepare } = taking
  const { tenantConcurrency, jobs } = options
  const limits = options.limits()
  await pullDue(options)
  if (limits.size === 0 && tenantConcurrency === undefined) {
    const taken = await fetchFrom(boss, defaultQueue, { batchSize: limit })
    if (taken.length === limit || !taking.isTimeToLook()) return taken
    return takeOthers({ taken, limit, limits }, { boss, db: jobs.sql })
  }
  await Promise.all([...limits.keys()].map(prepare))
  return jobs.transact(async (db) => {
    // Counting and taking must be one step for all nodes, or two of them would take the last place.
    if (options.kind === 'postgres') {
      await db.executeSql('select pg_advisory_xact_lock($1)', [takeLock])
    }
    const taken = await fetchFrom(boss, defaultQueue, {
      db,
      batchSize: limit,
      groupConcurrency: tenantConcurrency,
    })
    return takeOthers({ taken, limit, limits }, { boss, db })
  })
}

/** Beyond this the clock of the machine was put back, rather than corrected. */
const jumpMs = 1000

/**
 * An embedded database reads the clock of the machine. Where that was put back, what is due by the
 * clock that never goes back would wait until the two have met.
 */
async function pullDue({ kind, jobs, now }: BossQueueOptions): Promise<void> {
  const dueMs = now()
  if (kind === 'postgres' || dueMs - Date.now() < jumpMs) return
  await jobs.sql.executeSql(
    `update ${jobSchema}.job set start_after = now()
      where state < 'active' and start_after > now() and start_after <= to_timestamp($1::float8 / 1000)`,
    [dueMs],
  )
}

/**
 * From the queues of tools with a limit. From a queue whose tool is not on this node, one job at a
 * time: its tool may have lost its limit or been removed, and some node has to find out; or the
 * queue belongs to another node, which must not be starved.
 */
async function takeOthers(
  { taken, limit, limits }: { taken: Job[]; limit: number; limits: ReadonlyMap<string, number> },
  { boss, db }: { boss: PgBoss; db: SqlRunner },
): Promise<Job[]> {
  for (const queue of await findBusy(db)) {
    const room = limit - taken.length
    if (room <= 0) break
    const groupConcurrency = limits.get(queue)
    const batchSize = groupConcurrency === undefined ? 1 : room
    taken.push(...(await fetchFrom(boss, queue, { db, batchSize, groupConcurrency })))
  }
  return taken
}

/** The queues of single tools that have due jobs: most are empty most of the time. */
async function findBusy(db: SqlRunner): Promise<string[]> {
  const { rows } = await db.executeSql(
    `select q.name from ${jobSchema}.queue q
      where q.name <> $1 and exists (select from ${jobSchema}.job j
        where j.name = q.name and j.state < 'active' and j.start_after <= now())`,
    [defaultQueue],
  )
  return rows.map(({ name }) => String(name))
}

interface FetchOptions {
  batchSize: number
  groupConcurrency?: number
  db?: SqlRunner
}

async function fetchFrom(boss: PgBoss, queue: string, options: FetchOptions): Promise<Job[]> {
  const found = await boss.fetch<{ tenant: string }>(queue, withoutUndefined(options))
  return found.map(({ id, data, retryCount }) => ({
    callId: `call_${id.replaceAll('-', '')}`,
    tenant: data.tenant,
    queue,
    lease: retryCount,
  }))
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

function toInsert(job: NewJob) {
  const { tenant, queue, priority, startAt } = job
  return {
    id: toJobId(job),
    data: { tenant },
    priority,
    // Within the queue of one tool the limit is the tool's, elsewhere the tenant's.
    group: { id: queue === defaultQueue ? tenant : queue },
    ...(startAt !== undefined && { startAfter: new Date(startAt).toISOString() }),
  }
}

/** A call has one job at a time, so they share their id. */
function toJobId({ callId }: Pick<Job, 'callId'>): string {
  const hex = /^call_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    callId,
  )
  if (hex === null) throw new ToolError('internal', `${callId} is not the id of a call`)
  return hex.slice(1).join('-')
}

function toAttempt(job: Job): { id: string; retryCount: number } {
  return { id: toJobId(job), retryCount: job.lease }
}

function byQueue<T extends { queue: string }>(jobs: readonly T[]): Map<string, T[]> {
  return Map.groupBy(jobs, ({ queue }) => queue)
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T
}
