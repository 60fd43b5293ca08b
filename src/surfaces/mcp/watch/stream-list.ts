/** The streams that are open, so that they can be counted and told to end. */
export interface StreamList {
  /** False when there are too many, of all callers or of this one. */
  hasRoom(holder: string): boolean
  add(holder: string, end: () => void): () => void
  endAll(): void
  readonly size: number
}

/** Opens the list. Nobody holds more than a quarter: others need some too. */
export function createStreamList(most: number): StreamList {
  const streams = new Set<{ holder: string; end: () => void }>()
  const share = Math.max(1, Math.floor(most / 4))
  const countOf = (holder: string) => {
    let count = 0
    for (const stream of streams) if (stream.holder === holder) count += 1
    return count
  }
  return {
    hasRoom: (holder) => streams.size < most && countOf(holder) < share,
    add(holder, end) {
      const stream = { holder, end }
      streams.add(stream)
      return () => void streams.delete(stream)
    },
    endAll() {
      for (const { end } of streams) end()
    },
    get size() {
      return streams.size
    },
  }
}
