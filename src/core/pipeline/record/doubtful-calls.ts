import type { CallLog, CallStart, OpenResult, Settlement } from '../../call-log.ts'
import type { WriteRetryQueue } from './write-retry-queue.ts'

/**
 * How long a caller waits to learn whether its call was stored, when another node may have started
 * it.
 */
const confirmForMs = 3_000
const firstDelayMs = 50
const longestDelayMs = 500

/**
 * The database aborts a statement after half a minute. Until then a statement whose answer was lost
 * may still be written, so a first lookup that finds nothing is not final.
 */
const lastLookMs = 35_000

/** Calls whose record was not confirmed but may be stored. */
export interface DoubtfulCalls {
  /**
   * Opens it again under the same id until the store reports whether it exists. Undefined when the
   * store did not answer in time.
   */
  confirm(start: CallStart): Promise<OpenResult | undefined>
  /** For a refused call: if it was stored after all, it is ended. */
  add(start: CallStart): void
  close(): void
}

/**
 * A connection that breaks between a statement and its answer leaves a call that was refused, is on
 * disk, and belongs to a live node: nobody would run or end it. So it is ended here, as soon as the
 * store answers again. Calls still in doubt when this node stops are claimed by other nodes, like
 * all its unfinished work.
 */
export function createDoubtfulCalls(
  { calls, now }: { calls: CallLog; now(): number },
  retries: WriteRetryQueue,
): DoubtfulCalls {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const settle = (start: CallStart) =>
    // Writes that the disk refuses are kept by the queue, and retried until they succeed.
    retries.write(() => calls.settle(toRefusal(start, now()))).catch(() => true)

  async function settleSoon(start: CallStart): Promise<void> {
    if (await settle(start)) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void settle(start)
    }, lastLookMs)
    ;(timer as { unref?: () => void }).unref?.()
    timers.add(timer)
  }

  return {
    async confirm(start) {
      // Not by the wall clock, which may be changed in between.
      const until = performance.now() + confirmForMs
      let result: OpenResult | undefined
      for (
        let delay = firstDelayMs;
        result === undefined && performance.now() < until;
        delay *= 2
      ) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(delay, longestDelayMs)))
        result = await calls.open(start).catch(() => undefined)
      }
      return result
    },
    add(start) {
      void settleSoon(start)
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** Only if nobody has started it: a node that took it over decides for itself. */
function toRefusal(
  { callId, tenant, attempt, requestedAt }: CallStart,
  settledAt: number,
): Settlement {
  const error = {
    code: 'record_failed' as const,
    message: 'The call was refused because its record was not confirmed; the tool did not run',
    retryable: true,
  }
  return {
    callId,
    tenant,
    status: 'failed',
    error,
    settledAt,
    attempt,
    events: [
      {
        type: 'call.failed',
        at: settledAt,
        data: { durationMs: settledAt - requestedAt, error },
      },
    ],
  }
}
