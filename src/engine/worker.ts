import type { CallLog, Job, StoredCall, WorkQueue } from '../core/ports.ts'

export interface WorkerOptions {
  queue: WorkQueue
  calls: Pick<CallLog, 'findRunnable'>
  /** Runs the call to the end of its run; false when its tool is not on this node. */
  run(call: StoredCall): Promise<boolean>
  /** Settles a call whose tool no node seems to have. */
  giveUp(call: StoredCall): Promise<void>
  /** How many calls run here at once. */
  slots: number
  onWarning(message: string): void
}

export interface Worker {
  /** There may be something to do. */
  wake(): void
  /** Takes nothing more; resolves when what runs here has ended. Its leases are kept until then. */
  stop(): Promise<void>
}

/** A lease ends after ten seconds of silence; three chances to break it. */
const keepEveryMs = 3000
const pollEveryMs = 1000
/** What was taken so long ago may be another node's by now. */
const staleAfterMs = 5000
/** A call whose tool is not here rests so long before somebody looks again. */
const restMs = 1000
/** After so long without meeting a node that has the tool, the call fails. */
const unknownAfterMs = 30_000

/** Takes jobs while it has room and runs each; says that it lives while it does. */
export function createWorker(options: WorkerOptions): Worker {
  const { queue, onWarning } = options
  const held = new Map<string, Job>()
  const unknownSince = new Map<string, number>()
  let isStopping = false
  let isAgain = false
  let pumping: Promise<void> | undefined

  const wake = () => {
    isAgain = true
    pumping ??= pump().finally(() => {
      pumping = undefined
      if (isAgain && !isStopping) wake()
    })
  }
  async function pump(): Promise<void> {
    while (isAgain && !isStopping) {
      isAgain = false
      const free = options.slots - held.size
      if (free <= 0) return
      try {
        // A full batch means that there may be more.
        if ((await takeAndRun(free)) === free) isAgain = true
      } catch (error) {
        onWarning(`Work could not be taken: ${reasonOf(error)}`)
      }
    }
  }
  async function takeAndRun(free: number): Promise<number> {
    const takenAt = performance.now()
    const jobs = await queue.take(free)
    if (jobs.length === 0) return 0
    const found = await options.calls.findRunnable(jobs)
    // Stopped in between, this node may have lost its leases without knowing. The rows above were read
    // while it had them, or are not used: whatever changes them later changes the attempt, too.
    if (performance.now() - takenAt > staleAfterMs) return 0
    const byId = new Map(found.map((call) => [call.callId, call]))
    const over = jobs.filter(({ callId }) => !byId.has(callId))
    if (over.length > 0) await queue.drop(over)
    for (const job of jobs) {
      const call = byId.get(job.callId)
      if (call !== undefined && !held.has(job.callId)) void hold(job, call)
    }
    return jobs.length
  }
  async function hold(job: Job, call: StoredCall): Promise<void> {
    held.set(job.callId, job)
    try {
      if (await options.run(call)) unknownSince.delete(job.callId)
      else await passOn(job, call)
    } catch (error) {
      // The lease runs out, and whoever takes the job then sees how far it had come.
      onWarning(`${job.callId} could not be run: ${reasonOf(error)}`)
    } finally {
      held.delete(job.callId)
      wake()
    }
  }
  /** Another node may have the tool; when none turns up for a while, none has. */
  async function passOn(job: Job, call: StoredCall): Promise<void> {
    const since = unknownSince.get(job.callId) ?? Date.now()
    unknownSince.set(job.callId, since)
    if (Date.now() - since < unknownAfterMs) return queue.handBack([job], restMs)
    unknownSince.delete(job.callId)
    await options.giveUp(call)
  }
  const keeping = setInterval(() => {
    if (held.size === 0) return
    queue.keep([...held.values()]).catch((error: unknown) => {
      onWarning(`Leases could not be kept: ${reasonOf(error)}`)
    })
  }, keepEveryMs)
  keeping.unref()
  // Jobs whose time has come, and those whose node has gone, announce themselves to nobody.
  const polling = setInterval(wake, pollEveryMs)
  polling.unref()
  const unwatch = queue.watch(wake)
  wake()
  return {
    wake,
    async stop() {
      isStopping = true
      unwatch()
      clearInterval(polling)
      await pumping
      while (held.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      clearInterval(keeping)
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
