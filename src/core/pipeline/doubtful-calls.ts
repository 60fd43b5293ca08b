import type { CallLog, CallStart, Settlement } from '../call-log.ts'
import type { Backlog } from './backlog.ts'

/**
 * The database gives a statement up after half a minute. Until then one whose answer was lost may
 * still be written, so a first look that finds nothing is not the last.
 */
const lastLookMs = 35_000

/** Calls that were refused and may be stored all the same. */
export interface DoubtfulCalls {
  add(start: CallStart): void
  close(): void
}

/**
 * A connection that breaks between a statement and its answer leaves a call that was refused, is on
 * disk, and belongs to a node that lives: nobody would run it and nobody end it. So it is ended
 * here, as soon as the store answers again. What is still doubtful when this node goes is claimed by
 * the others, like all it leaves behind.
 */
export function createDoubtfulCalls(calls: CallLog, backlog: Backlog): DoubtfulCalls {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const settle = (start: CallStart) =>
    // What the disk refuses now is kept by the backlog, and tried again until it is written.
    backlog.write(() => calls.settle(toRefusal(start))).catch(() => true)

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
function toRefusal({ callId, tenant, attempt, requestedAt }: CallStart): Settlement {
  const settledAt = Date.now()
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
