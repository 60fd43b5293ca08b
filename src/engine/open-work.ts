import { ToolError } from '../core/kernel/errors.ts'
import { queueOf } from '../core/pipeline/record/work-order.ts'
import type { CallLog, StoredCall } from '../core/call-log.ts'
import type { Store } from '../core/ports.ts'
import type { TenantStore } from '../core/rules/tenant.ts'
import type { WorkQueue } from '../core/work-ports.ts'
import type { ToolContract } from '../core/kernel/tool.ts'
import type { Sweep } from '../core/work-ports.ts'
import { startSweeps } from './sweeps.ts'
import { Worker, type WorkerOptions } from './worker.ts'

export interface WorkOptions {
  store: Pick<Store, 'now' | 'kind' | 'jobs' | 'toolDirectory'> & {
    calls: CallLog
    tenants: Pick<TenantStore, 'find'>
  }
  /** All tools, because some have their own concurrency limit. */
  contracts(): Iterable<Pick<ToolContract, 'name' | 'concurrency'>>
  limits: { concurrency: number; tenantConcurrency?: number; queued: number }
  /** False for a command on a shared database: it would exit before the work is done, so servers do it. */
  isRunner: boolean
  onWarning(message: string): void
}

/** The handlers of due work. */
export interface WorkHandlers {
  run: WorkerOptions['run']
  giveUp: WorkerOptions['giveUp']
  /** A call that ran out of time while it waited. */
  expire(call: StoredCall): Promise<void>
  /** An open step of a call that has ended. */
  strand(call: StoredCall): Promise<void>
  /** Periodic checks. */
  sweeps: readonly Sweep[]
}

/** Work that outlives the request that asked for it. */
export interface Work {
  /** The queue exists, and calls are queued together with their jobs, once it resolves. */
  prepare(queue: string): Promise<void>
  checkRoom(tenant: string): void
  wake(): void
  /** Runs the delayed jobs of a tenant that was suspended. */
  rouse(tenant: string): Promise<void>
  /** Given once. The pipeline queues calls and runs them, so the queue is there first; until then nothing is taken. */
  handle(handlers: WorkHandlers): void
  /** Begins to take work and to sweep. Without it, the first queued call does. */
  start(): Promise<void>
  /** Takes no more work. Calls that are interrupted can still be queued for later, until it is closed. */
  stop(): Promise<void>
  /** Closes the queue. After `stop`, and once nothing runs any more. */
  close(): Promise<void>
}

const countEveryMs = 1000
/** The pause before the next count, as a multiple of the time a count took. */
const countShare = 30
const restoreAtOnce = 500
const overdueAtOnce = 100
/** Safeguards against faults nobody knows of: they look at everything that waits. */
const stalledEveryMs = 30_000

/** Opens the queue on first use: a command that only looks needs none. */
export function createWork(options: WorkOptions): Work {
  let running: ReturnType<typeof openRunning> | undefined
  let isStopped = false
  let isClosed = false
  let waiting = new Map<string, number>()
  const { promise: handlers, resolve: handle } = Promise.withResolvers<WorkHandlers>()
  const begin = () => {
    const isGone = isClosed || (isStopped && running === undefined)
    if (isGone) throw new ToolError('shutting_down', 'The server is stopping; try again later')
    running ??= openRunning(options, handlers, (counts) => (waiting = new Map(counts))).catch(
      (error: unknown) => {
        running = undefined
        throw error
      },
    )
    return running
  }
  return {
    prepare: async (queue) => (await begin()).queue.prepare(queue),
    checkRoom(tenant) {
      let all = 0
      for (const count of waiting.values()) all += count
      const own = waiting.get(tenant) ?? 0
      // One tenant can't take all the room there is.
      if (all < options.limits.queued && own < options.limits.queued * tenantShare) {
        waiting.set(tenant, own + 1)
        return
      }
      throw new ToolError(
        'rate_limited',
        `${own} calls of yours wait to be run; no more are taken`,
        {
          fix: 'Come back when some of them have run.',
          details: { retryAfterMs: 5000 },
        },
      )
    },
    wake: () => {
      if (!isStopped) running?.then(({ wake }) => wake()).catch(() => undefined)
    },
    // Not running here, another node looks again within a minute.
    rouse: async (tenant) => (await running?.catch(() => undefined))?.queue.rouse(tenant),
    handle,
    start: async () => void (await begin()),
    async stop() {
      isStopped = true
      const opened = await running?.catch(() => undefined)
      await opened?.stop()
    },
    async close() {
      isClosed = true
      const opened = await running?.catch(() => undefined)
      await opened?.queue.stop()
    },
  }
}

const tenantShare = 0.8

async function openRunning(
  options: WorkOptions,
  given: Promise<WorkHandlers>,
  onCount: (waiting: ReadonlyMap<string, number>) => void,
) {
  const { store, onWarning } = options
  const queue = await openQueue(options)
  if (!options.isRunner) return { queue, wake: () => undefined, stop: async () => undefined }
  await restoreJobs(store.calls, queue).catch(async (error: unknown) => {
    // The next use opens another one: this one must not keep running beside it.
    await queue.stop().catch(() => undefined)
    throw error
  })
  const { run, giveUp, expire, strand, sweeps: others } = await given
  const worker = new Worker({
    queue,
    calls: store.calls,
    run,
    isElsewhere: store.toolDirectory?.isElsewhere,
    isSuspended: async (tenant) => (await store.tenants.find(tenant))?.status === 'suspended',
    giveUp,
    slots: options.limits.concurrency,
    onWarning,
  })
  const count = createCount(queue, onCount)
  await count()
  const sweeps = startSweeps(
    [
      { name: 'parents', everyMs: 1000, run: () => store.calls.releaseParents(overdueAtOnce) },
      {
        name: 'stalled parents',
        everyMs: stalledEveryMs,
        isWoken: false,
        run: () => store.calls.releaseStalled(overdueAtOnce),
      },
      {
        name: 'stranded steps',
        everyMs: stalledEveryMs,
        isWoken: false,
        run: () => endAll(store.calls.findStranded, strand),
      },
      { name: 'deadlines', everyMs: 1000, run: () => endAll(store.calls.findOverdue, expire) },
      { name: 'waiting', everyMs: countEveryMs, run: count },
      ...others,
    ],
    onWarning,
  )
  return {
    queue,
    wake() {
      sweeps.wake('parents')
      for (const { name, isWoken } of others) if (isWoken !== false) sweeps.wake(name)
      worker.wake()
    },
    async stop() {
      // Both at once: a sweep may take long, and no more work must be taken in that time.
      await Promise.all([worker.stop(), sweeps.stop()])
    },
  }
}

/** Counting a hundred thousand takes a while: it is done the less often, the longer it takes. */
function createCount(
  queue: WorkQueue,
  onCount: (waiting: ReadonlyMap<string, number>) => void,
): () => Promise<number> {
  let notBefore = 0
  return async () => {
    const startedAt = performance.now()
    if (startedAt < notBefore) return 0
    onCount(await queue.waiting())
    notBefore = startedAt + (performance.now() - startedAt) * countShare
    return 0
  }
}

async function openQueue({ store, contracts, limits, onWarning }: WorkOptions): Promise<WorkQueue> {
  // With pg-boss come a driver and 150 modules: a command that only looks goes without.
  const { openBossQueue } = await import('./boss-queue.ts')
  return openBossQueue({
    kind: store.kind,
    jobs: store.jobs,
    now: store.now,
    tenantConcurrency: limits.tenantConcurrency,
    onWarning,
    limits: () => limitsOf(contracts()),
  })
}

function limitsOf(contracts: Iterable<Pick<ToolContract, 'name' | 'concurrency'>>) {
  const limits = new Map<string, number>()
  for (const contract of contracts) {
    if (contract.concurrency !== undefined) limits.set(queueOf(contract), contract.concurrency)
  }
  return limits
}

/** Calls and events hold the truth: whatever became of its jobs (a copy to another database has none), they are made again. */
async function restoreJobs(calls: CallLog, queue: WorkQueue): Promise<void> {
  let after: string | undefined
  while (true) {
    const page = await calls.listWork(after, restoreAtOnce)
    const lacking = page.flatMap(({ tenant, callId, work }) =>
      work === undefined ? [] : [{ ...work, tenant, callId }],
    )
    await queue.restore(lacking)
    after = page.at(-1)?.callId
    if (page.length < restoreAtOnce) return
  }
}

/** Ends what is found. Returns how many, if there may be more. */
async function endAll<T>(
  find: (limit: number) => Promise<readonly T[]>,
  end: (one: T) => Promise<unknown>,
): Promise<number> {
  const found = await find(overdueAtOnce)
  await Promise.all(found.map(end))
  return found.length < overdueAtOnce ? 0 : found.length
}
