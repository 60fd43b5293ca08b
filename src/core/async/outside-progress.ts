import type { Progress } from '../kernel/call.ts'
import { isSettled } from '../call-state.ts'
import { createOutputFeed, type OutputFeed } from '../pipeline/output/output-feed.ts'
import type { CallLog, StoredCall } from '../call-log.ts'
import { alreadySettled, findByHolder, type TokenHolder } from './complete-call.ts'
import type { CallSecrets } from '../secrets/sensitive-of-call.ts'
import { createOutsideRedactors } from './outside-redactor.ts'

export interface OutsideProgressPorts extends CallSecrets {
  calls: Pick<CallLog, 'findWithInput' | 'findByToken' | 'append'>
  now(): number
}

/** What workers outside report while they work. */
export interface OutsideProgress {
  /** Throws already_settled once the call has ended, so that the worker stops. */
  report(holder: TokenHolder, read: () => Promise<Progress>): Promise<void>
  /** Everything reported here until now is in the log. */
  end(callId: string): Promise<void>
  close(): Promise<void>
}

/** A worker that was silent for so long begins anew: its feed is only there to thin out the log. */
const idleMs = 60_000
/** So many workers are listened to at once on this node; of more, the quietest begin anew. */
const maxFeeds = 10_000
const fallbackBytes = 51_200

interface Line {
  feed: OutputFeed
  written: Promise<unknown>
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Thins out per call what comes in, as it is done for tools that run here. */
export function createOutsideProgress(ports: OutsideProgressPorts): OutsideProgress {
  const lines = new Map<string, Line>()

  async function open(call: StoredCall, holder: TokenHolder): Promise<Line> {
    const { text } = await createOutsideRedactors(call, holder.token, ports)
    const line: Line = { written: Promise.resolve(), timer: undefined, feed: emptyFeed }
    line.feed = createOutputFeed({
      redactor: text,
      maxBytes:
        ports.registry.find(call.tool, call.tenant)?.contract.maxOutputBytes ?? fallbackBytes,
      onOutput: undefined,
      now: ports.now,
      append(events) {
        const append = () => ports.calls.append(call.tenant, call.callId, { events })
        line.written = line.written.then(append).catch(() => false)
      },
    })
    return line
  }
  async function end(key: string): Promise<void> {
    const line = lines.get(key)
    if (line === undefined) return
    lines.delete(key)
    clearTimeout(line.timer)
    line.feed.end()
    await line.written
  }
  /** Also keeps the map in the order of use. */
  function touch(key: string, line: Line): void {
    clearTimeout(line.timer)
    line.timer = setTimeout(() => void end(key), idleMs)
    ;(line.timer as { unref?: () => void }).unref?.()
    lines.delete(key)
    lines.set(key, line)
    const [quietest] = lines.keys()
    if (lines.size > maxFeeds && quietest !== undefined) void end(quietest)
  }
  return {
    async report(holder, read) {
      const { call } = await findByHolder(holder, ports)
      if (isSettled(call.status)) throw alreadySettled(call)
      const progress = await read()
      const key = call.callId
      const opened = lines.get(key) ?? (await open(call, holder))
      // Two that came first at once open one line.
      const line = lines.get(key) ?? opened
      touch(key, line)
      line.feed.progress(progress)
    },
    end,
    async close() {
      await Promise.all([...lines.keys()].map(end))
    },
  }
}

const emptyFeed: OutputFeed = { partial() {}, progress() {}, end() {} }
