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

/** Progress reports of external workers. */
export interface OutsideProgress {
  /** Throws already_settled once the call has ended, so that the worker stops. */
  report(holder: TokenHolder, read: () => Promise<Progress>): Promise<void>
  /** Resolves when everything reported here so far is in the log. */
  end(callId: string): Promise<void>
  close(): Promise<void>
}

/** After this much silence the feed is dropped: its only purpose is to throttle the log. */
const idleMs = 60_000
/**
 * How many workers have a feed on this node at once; beyond it, the least recently used feed is
 * dropped.
 */
const maxFeeds = 10_000
const fallbackBytes = 51_200

interface Line {
  feed: OutputFeed
  written: Promise<unknown>
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Throttles progress per call, as for tools that run here. */
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
  /** Also keeps the map in order of use. */
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
      // Two first reports at once open one line.
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
