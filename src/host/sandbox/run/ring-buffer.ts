/** The last bytes of a stream, addressed by their place in all of it. */
export interface RingBuffer {
  write(bytes: Uint8Array): void
  /** Bytes written so far. */
  readonly total: number
  /** Bytes that are kept. */
  readonly held: number
  /** `from` is where the piece begins: later than `offset` if that was dropped. */
  read(offset: number, maxBytes: number): { bytes: Uint8Array; from: number }
}

/** Pieces are joined up to this size, so that single characters don't cost an object each. */
const pieceBytes = 16 * 1024

/** Keeps at most `size` bytes. */
export function createRingBuffer(size: number): RingBuffer {
  const pieces: Buffer[] = []
  let held = 0
  let total = 0

  function append(bytes: Uint8Array): void {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + bytes.length <= pieceBytes) {
      pieces[pieces.length - 1] = Buffer.concat([last, bytes])
    } else {
      pieces.push(Buffer.from(bytes))
    }
    held += bytes.length
  }

  function dropFirst(): void {
    while (held > size) {
      const [first = Buffer.alloc(0)] = pieces
      const excess = held - size
      if (first.length <= excess) pieces.shift()
      else pieces[0] = first.subarray(excess)
      held -= Math.min(first.length, excess)
    }
  }

  return {
    get total() {
      return total
    },
    get held() {
      return held
    },
    write(bytes) {
      total += bytes.length
      append(bytes.length > size ? bytes.subarray(bytes.length - size) : bytes)
      dropFirst()
    },
    read(offset, maxBytes) {
      const first = total - held
      const from = Math.min(Math.max(offset, first), total)
      const all = Buffer.concat(pieces)
      return { bytes: new Uint8Array(all.subarray(from - first, from - first + maxBytes)), from }
    },
  }
}
