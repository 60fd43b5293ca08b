import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/** The open streams, so that they can be counted and ended. */
export interface StreamRegister {
  /** Counts one more for this caller; `onEnd` is called when the server drains. Returns the way to count it out. */
  open(caller: Caller, onEnd: () => void): () => void
  endAll(): void
  readonly size: number
}

/** Opens the register. Nobody holds more than a quarter of the streams: others need some too. */
export function createStreamRegister(maxStreams: number): StreamRegister {
  const streams = new Set<{ end: () => void }>()
  const held = new Map<string, number>()
  const share = Math.max(1, Math.floor(maxStreams / 4))
  return {
    open(caller, onEnd) {
      const holder = JSON.stringify([caller.tenant, caller.principal.kind, caller.principal.id])
      if (streams.size >= maxStreams) throw tooMany(`${maxStreams} event streams are open already`)
      const own = held.get(holder) ?? 0
      if (own >= share) throw tooMany(`You have ${share} event streams open already`)
      const entry = { end: onEnd }
      streams.add(entry)
      held.set(holder, own + 1)
      return () => {
        if (!streams.delete(entry)) return
        const left = (held.get(holder) ?? 1) - 1
        if (left === 0) held.delete(holder)
        else held.set(holder, left)
      }
    },
    endAll() {
      for (const stream of streams) stream.end()
    },
    get size() {
      return streams.size
    },
  }
}

function tooMany(message: string): ToolError {
  return new ToolError('rate_limited', message, {
    fix: 'Close one, or read GET /events in pages.',
  })
}
