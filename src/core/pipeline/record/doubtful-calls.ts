import type { CallLog, CallStart, OpenResult, Settlement } from '../../call-log.ts'
import type { WriteRetryQueue } from './write-retry-queue.ts'

/** How long a caller is kept for the word on a call that somebody else may have begun meanwhile. */
const confirmForMs = 3_000
const firstDelayMs = 50
const longestDelayMs = 500

/**
 * The database gives a statement up after half a minute. Until then one whose answer was lost may
 * still be written, so a first look that finds nothing is not the last.
 */
const lastLookMs = 35_000

/** Calls whose record was not confirmed and may be stored all the same. */
export interface DoubtfulCalls {
  /**
   * Opens it again under its own id until the store has said whether it is there. Undefined when it
   * did not say so in time.
   */
  confirm(start: CallStart): Promise<OpenResult | undefined>
  /** It was refused: should it be there, it is ended. */
  add(start: CallStart): void
  close(): void
}

/**
 * A connection that breaks between a statement and its answer leaves a call that was refused, is on
 * disk, and belongs to a node that lives: nobody would run it and nobody end it. So it is ended
 * here, as soon as the store answers again. What is still doubtful when this node goes is claimed by
 * the others, like all it leaves behind.
 */
export function createDoubtfulCalls(
  { calls, now }: { calls: CallLog; now(): number },
  retries: WriteRetryQueue,
): DoubtfulCalls {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const settle = (start: CallStart) =>
    // What the disk refuses now is kept by the queue, and tried again until it is written.
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
      // Not by the clock of the wall, which may be set meanwhile.
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

/** Only while nobody has begun it: another node that took it over decides for itself. */
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
