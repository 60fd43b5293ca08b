import type { Writable } from 'node:stream'

export interface LineWriter {
  /** How much nobody has taken yet. */
  readonly length: number
  write(line: string): void
  /** Hands over what waits, now. */
  flush(): void
}

/**
 * Lines that come together go together, when everything that the event loop has ready is done: for
 * the process at the other end each write is a wake-up, and for us a system call.
 */
export function createLineWriter(stream: Writable | null): LineWriter {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '' && stream?.writable === true) stream.write(lines)
  }
  return {
    get length() {
      return (stream?.writableLength ?? 0) + waiting.length
    },
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += `${line}\n`
    },
    flush,
  }
}
