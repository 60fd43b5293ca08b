import { isToolError } from '../core/kernel/errors.ts'
import type { CallLog, StoredCall } from '../core/call-log.ts'
import type { Job, WorkQueue } from '../core/work-ports.ts'

export interface WorkerOptions {
  queue: WorkQueue
  calls: Pick<CallLog, 'findRunnable'>
  /** Runs the call. False if its tool is not on this node; a delay if it is not its turn yet. */
  run(call: StoredCall): Promise<boolean | { againInMs: number }>
  /** True if another live node has the tool and will take the call. */
  isElsewhere?(tool: string): Promise<boolean>
  /** Reads the store, because this node's memory may be out of date. */
  isSuspended(tenant: string): Promise<boolean>
  /** Settles a call whose tool no node seems to have. */
  giveUp(call: StoredCall): Promise<void>
  /** How many calls run here at once. */
  slots: number
  onWarning(message: string): void
}

/** A lease ends after ten seconds of silence; three chances to break it. */
const keepEveryMs = 3000
/** Jobs that become due, and those of dead nodes, cause no notification. */
const pollEveryMs = 1000
/** A job taken longer ago than this may belong to another node by now. */
const staleAfterMs = 5000
/** The delay before a call whose tool is not on this node is checked again. */
const restMs = 1000
/** How rarely jobs of a suspended tenant are checked; resuming it wakes them at once. */
const suspendedMs = 60_000
/** After this time without a node that has the tool, the call fails. */
const unknownAfterMs = 30_000

/** Takes jobs while it has capacity and runs each, renewing their leases. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #held = new Map<string, Job>()
  /** Calls whose tool is not here: since when, and when last seen. */
  readonly #unknown = new Map<string, { since: number; seen: number }>()
  readonly #timers: NodeJS.Timeout[]
  readonly #unwatch: () => void
  #isStopping = false
  #isAgain = false
  #pumping: Promise<void> | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#timers = [
      setInterval(() => this.#keep(), keepEveryMs).unref(),
      setInterval(() => this.wake(), pollEveryMs).unref(),
    ]
    this.#unwatch = options.queue.watch(() => this.wake())
    this.wake()
  }

  /** There may be something to do. */
  wake(): void {
    this.#isAgain = true
    if (this.#isStopping) return
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined
      if (this.#isAgain && this.#free > 0) this.wake()
    })
  }

  /** Takes nothing more; resolves when what runs here has ended. Its leases are kept until then. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#unwatch()
    await this.#pumping
    while (this.#held.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const timer of this.#timers) clearInterval(timer)
  }

  get #free(): number {
    return this.#options.slots - this.#held.size
  }

  async #pump(): Promise<void> {
    while (this.#isAgain && !this.#isStopping) {
      this.#isAgain = false
      const free = this.#free
      // The end of a job wakes it again.
      if (free <= 0) return
      try {
        // A full batch means that there may be more.
        if ((await this.#take(free)) === free) this.#isAgain = true
      } catch (error) {
        this.#options.onWarning(`Work could not be taken: ${reasonOf(error)}`)
      }
    }
  }

  async #take(free: number): Promise<number> {
    const { queue, calls } = this.#options
    const takenAt = performance.now()
    const jobs = await queue.take(free)
    if (jobs.length === 0) return 0
    const found = await calls.findRunnable(jobs)
    // Stopped in between, this node may have lost its leases without knowing. The rows above were read
    // while it had them, or are not used: whatever changes them later changes the attempt, too.
    if (performance.now() - takenAt > staleAfterMs) return 0
    // Stopped in between: none of these jobs has started, so other nodes may run them.
    if (this.#isStopping) {
      await queue.handBack(jobs, restMs)
      return 0
    }
    const byId = new Map(found.map((call) => [call.callId, call]))
    const over = jobs.filter(({ callId }) => !byId.has(callId))
    const elsewhere = jobs.filter(({ callId }) => byId.get(callId)?.runsOn === 'elsewhere')
    for (const job of jobs) {
      const call = byId.get(job.callId)
      if (call !== undefined && call.runsOn !== 'elsewhere') this.#accept(job, call)
    }
    if (over.length > 0) await queue.drop(over)
    // Its lease was lost, in an outage of the database for one, but its node lives and is at it.
    if (elsewhere.length > 0) await queue.handBack(elsewhere, restMs)
    return jobs.length
  }

  #accept(job: Job, call: StoredCall): void {
    // A job that already runs here continues, under its new lease.
    if (this.#held.has(job.callId)) this.#held.set(job.callId, job)
    else void this.#hold(job, call)
  }

  async #hold(job: Job, call: StoredCall): Promise<void> {
    this.#held.set(job.callId, job)
    try {
      const ran = await this.#options.run(call)
      if (ran !== false) this.#unknown.delete(job.callId)
      if (typeof ran === 'object')
        await this.#options.queue.handBack([this.#held.get(job.callId) ?? job], ran.againInMs)
      if (ran === false) await this.#passOn(job, call)
    } catch (error) {
      if (isToolError(error) && error.code === 'tenant_suspended') return await this.#rest(job)
      this.#options.onWarning(`${job.callId} could not be run: ${reasonOf(error)}`)
      // If this fails too, the lease expires. The next node then sees how far it got.
      await this.#options.queue
        .handBack([this.#held.get(job.callId) ?? job], restMs)
        .catch(() => undefined)
    } finally {
      this.#held.delete(job.callId)
      this.wake()
    }
  }

  /** Fails like any other: then the lease expires, and the next node finds the same. */
  async #rest(taken: Job): Promise<void> {
    const { queue, isSuspended } = this.#options
    const job = this.#held.get(taken.callId) ?? taken
    try {
      // Resumed, and this node has not noticed: who resumed it has woken the jobs before.
      if (!(await isSuspended(job.tenant))) return await queue.handBack([job], restMs)
      await queue.rest(job, suspendedMs)
      if (!(await isSuspended(job.tenant))) await queue.rouse(job.tenant)
    } catch (error) {
      this.#options.onWarning(`${taken.callId} could not be put off: ${reasonOf(error)}`)
    }
  }

  /** Another node may have the tool; when none that lives has it for a while, the call can't be run. */
  async #passOn(job: Job, call: StoredCall): Promise<void> {
    const { queue, isElsewhere, giveUp } = this.#options
    const now = performance.now()
    const { since } = this.#unknown.get(job.callId) ?? { since: now }
    this.#unknown.set(job.callId, { since, seen: now })
    if (now - since < unknownAfterMs) return queue.handBack([job], restMs)
    this.#unknown.delete(job.callId)
    // It is busy, and the call waits its turn.
    if (await isElsewhere?.(call.tool)) return queue.handBack([job], restMs)
    await giveUp(call)
  }

  /** Other nodes have run them since; if one returns, its time starts again. */
  #forgetUnknown(): void {
    const oldest = performance.now() - unknownAfterMs
    for (const [callId, { seen }] of this.#unknown) if (seen < oldest) this.#unknown.delete(callId)
  }

  #keep(): void {
    this.#forgetUnknown()
    if (this.#held.size === 0) return
    this.#options.queue.keep([...this.#held.values()]).catch((error: unknown) => {
      this.#options.onWarning(`Leases could not be kept: ${reasonOf(error)}`)
    })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
