import { ToolError } from '../../../core/errors.ts'

/** The streams that are open, so that they can be counted and told to end. */
export interface StreamRegister {
  /** Counts one more; `onEnd` is called when the server drains. Returns the way to count it out. */
  open(onEnd: () => void): () => void
  endAll(): void
  readonly size: number
}

/** Opens the register. */
export function createStreamRegister(maxStreams: number): StreamRegister {
  const streams = new Set<{ end: () => void }>()
  return {
    open(onEnd) {
      if (streams.size >= maxStreams) {
        throw new ToolError('rate_limited', `${maxStreams} event streams are open already`, {
          fix: 'Close one, or read GET /events in pages.',
        })
      }
      const entry = { end: onEnd }
      streams.add(entry)
      return () => void streams.delete(entry)
    },
    endAll() {
      for (const stream of streams) stream.end()
    },
    get size() {
      return streams.size
    },
  }
}
