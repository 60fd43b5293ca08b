import { isToolError, ToolError } from '../../kernel/errors.ts'
import type { NewEvent } from '../../events/event.ts'
import type { CallLog, CallStart, OpenResult, Settlement } from '../../call-log.ts'
import { WriteRetryQueue } from './write-retry-queue.ts'
import { createDoubtfulCalls } from './doubtful-calls.ts'

/** Writes the record of one call while it is made. */
export interface CallWriter {
  append(events: readonly NewEvent[]): void
  /**
   * running → queued, while this attempt is current: for a retry, or when a stopping node gives up
   * its work.
   */
  requeue(from: Parameters<CallLog['requeue']>[2]): Promise<boolean>
  /** running → waiting, while this attempt is current. */
  wait(from: Parameters<CallLog['wait']>[2]): Promise<boolean>
  /** Resolves when the result is on disk; false when someone else had already settled the call. */
  settle(settlement: Settlement): Promise<boolean>
}

export interface CallRecorder {
  /**
   * On disk before it resolves: for calls with an effect, and for all that must survive a crash.
   */
  open(start: CallStart): Promise<NotOpened | CallWriter>
  /** Written together with its result, or after a moment if it runs long. For reads. */
  openLater(start: CallStart): CallWriter
  /**
   * Called when someone looks for this call: if it or its result is only in memory, it is on disk
   * when this resolves. False if there was nothing to write.
   */
  ensure(callId: string): Promise<boolean>
  /**
   * For a call whose record exists. A worker that was given up can't add to it: its attempt is
   * over.
   */
  resume(call: { tenant: string; callId: string; attempt: number }): CallWriter
  /** Back-pressure for callers who do not wait for the disk; see WriteRetryQueue. */
  ready(): Promise<void> | undefined
  unwritten(): number
  flush(): Promise<void>
  close(): Promise<void>
}

/** Why this caller must not run the call. */
export type NotOpened =
  | Exclude<OpenResult, { kind: 'opened' }>
  /** The connection broke: the call may be on disk, and then others may run it. */
  | { kind: 'unconfirmed'; cause: unknown }

/** A read that runs longer than this appears in the record while it still runs. */
const openAfterMs = 25

/** Decides when a call's record is written. The store does the writing. */
export function createCallRecorder(
  { calls, now }: { calls: CallLog; now(): number },
  onWarning: (message: string) => void,
): CallRecorder {
  const retries = new WriteRetryQueue(onWarning)
  const lazy = new Map<string, LazyCall>()
  const doubtful = createDoubtfulCalls({ calls, now }, retries)
  const sweep = setInterval(() => {
    const limit = performance.now() - openAfterMs
    for (const call of lazy.values()) if (call.since <= limit) openNow(call, calls)
  }, openAfterMs)
  ;(sweep as { unref?: () => void }).unref?.()

  return {
    async open(start) {
      const result = await calls.open(start).catch(async (error: unknown) => {
        if (!isToolError(error) || error.code !== 'store_unavailable') throw notRecorded(error)
        const mayBeTaken = start.work !== undefined
        const later = mayBeTaken ? await doubtful.confirm(start) : undefined
        if (later !== undefined) return later
        doubtful.add(start)
        // A refusal invites the caller to retry: wrong if others may run the call anyway.
        const isSafe = start.isRepeatable || start.idempotencyKey !== undefined
        if (mayBeTaken && !isSafe) return { kind: 'unconfirmed' as const, cause: error }
        throw notRecorded(error)
      })
      if (result.kind !== 'opened') return result
      return storedWriter({ calls, retries, tenant: start.tenant, callId: start.callId })
    },
    openLater(start) {
      const call: LazyCall = {
        start,
        since: performance.now(),
        wasTried: false,
        opening: undefined,
        ending: undefined,
      }
      lazy.set(start.callId, call)
      return lazyWriter(call, { calls, lazy, retries })
    },
    async ensure(callId) {
      const call = lazy.get(callId)
      if (call === undefined) return false
      openNow(call, calls)
      await (call.ending ?? call.opening)?.catch(() => undefined)
      return true
    },
    resume: ({ tenant, callId, attempt }) =>
      storedWriter({ calls, retries, tenant, callId, attempt }),
    ready: () => retries.ready(),
    unwritten: () => retries.size,
    flush: () => retries.flush(),
    async close() {
      clearInterval(sweep)
      doubtful.close()
      await retries.close()
    },
  }
}

function notRecorded(cause: unknown): ToolError {
  return new ToolError('record_failed', 'The call was refused because it could not be recorded', {
    cause,
    fix: 'Check the disk space and the database, then try again.',
  })
}

interface LazyCall {
  start: CallStart
  since: number
  /** The store was asked to write it: it may be there, whatever the answer was. */
  wasTried: boolean
  /** True once it is on disk, false when the disk refused it. */
  opening: Promise<boolean> | undefined
  /** Its result is on its way to disk, with all earlier events. */
  ending: Promise<boolean> | undefined
}

function openNow(call: LazyCall, calls: CallLog): void {
  if (call.ending !== undefined) return
  call.wasTried = true
  call.opening ??= calls.open(call.start).then(
    () => true,
    () => {
      // Nothing is lost: it is written with its result, which is retried until it succeeds.
      call.opening = undefined
      call.since = performance.now() + openAfterMs * 40
      return false
    },
  )
}

const isTrue = () => true

interface StoredWriter extends CallWriter {
  /** A single attempt, for callers that retry themselves. */
  settleOnce(settlement: Settlement): Promise<boolean>
}

function storedWriter(at: {
  calls: CallLog
  retries: WriteRetryQueue
  tenant: string
  callId: string
  /** For a run that others may take over. */
  attempt?: number
}): StoredWriter {
  const { calls, tenant, callId, attempt } = at
  // The tool does not wait for its appends, but the result is written after them.
  let last: Promise<unknown> | undefined
  return {
    append(events) {
      last = Promise.all([
        last,
        calls.append(tenant, callId, { events, attempt }).catch(() => false),
      ])
    },
    async requeue(from) {
      if (last !== undefined) await last
      return calls.requeue(tenant, callId, from)
    },
    async wait(from) {
      if (last !== undefined) await last
      return calls.wait(tenant, callId, from)
    },
    settleOnce,
    // Counted from here on, so that closing waits for it, also while it waits for its appends.
    settle: (settlement) => at.retries.write(() => settleOnce(settlement)),
  }
  async function settleOnce(settlement: Settlement): Promise<boolean> {
    if (last !== undefined) await last
    return calls.settle(settlement)
  }
}

function lazyWriter(
  call: LazyCall,
  ports: { calls: CallLog; lazy: Map<string, LazyCall>; retries: WriteRetryQueue },
): CallWriter {
  const { tenant, callId } = call.start
  const stored = () => storedWriter({ calls: ports.calls, retries: ports.retries, tenant, callId })
  let writer: StoredWriter | undefined
  /** Until its start is on disk, the call can't wait or be queued. */
  const opened = async () => {
    openNow(call, ports.calls)
    if (!(await call.opening)) throw new ToolError('record_failed', 'It could not be recorded yet')
    ports.lazy.delete(callId)
    return (writer ??= stored())
  }
  return {
    requeue: async (from) => (await opened()).requeue(from),
    wait: async (from) => (await opened()).wait(from),
    append(events) {
      const keep = () => {
        call.start = { ...call.start, events: [...call.start.events, ...events] }
      }
      if (call.opening === undefined) return keep()
      // If the disk refuses the pending start, these are written with the result.
      void call.opening.then((isOpen) => (isOpen ? (writer ??= stored()).append(events) : keep()))
    },
    settle(settlement) {
      const forget = () => ports.lazy.delete(callId)
      const recordWhole = () => {
        const isNew = !call.wasTried
        call.wasTried = true
        return ports.calls.recordWhole(call.start, settlement, { isNew }).then(isTrue)
      }
      call.ending = ports.retries.write(() =>
        call.opening === undefined
          ? recordWhole()
          : call.opening.then((isOpen) =>
              isOpen ? (writer ?? stored()).settleOnce(settlement) : recordWhole(),
            ),
      )
      call.ending.then(forget, forget)
      return call.ending
    },
  }
}
