import type { PgBoss } from 'pg-boss'
import { defaultQueue, jobSchema } from '../core/pipeline/record/work-order.ts'
import type { Store } from '../core/ports.ts'
import type { Job, SqlRunner } from '../core/work-ports.ts'

/** How often a node without limits looks into the queues of tools that had one. */
const lookEveryMs = 900
/** One node at a time counts and takes, where there is a limit to keep. */
const takeLock = 728_311_405

/** True at most once per interval. */
export function createPacer(): () => boolean {
  let next = 0
  return () => {
    const now = performance.now()
    if (now < next) return false
    next = now + lookEveryMs
    return true
  }
}

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

interface Taking {
  boss: PgBoss
  options: BossQueueOptions
  prepare(queue: string): Promise<void>
  /** Now and then, where nothing is expected. */
  isTimeToLook(): boolean
}

/** Jobs that are due now, within the limits of tenants and tools. */
export async function take(limit: number, taking: Taking): Promise<Job[]> {
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

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T
}
