import { wholeCharacters } from '../../../core/kernel/text/utf8.ts'

/** Keeps the start and the end of a program's output; the reason of a failure is often at the end. */
export interface OutputKeeper {
  push(bytes: Uint8Array): void
  /** All bytes so far, kept or not. */
  readonly total: number
  readonly isCut: boolean
  /** Start and end, with a line between them that counts the missing bytes. */
  text(): string
  /** The last bytes of it, for showing a program while it runs. */
  lastText(maxBytes: number): string
}

export function keepOutput({ head, tail }: { head: number; tail: number }): OutputKeeper {
  const start = new Uint8Array(head)
  let end: Uint8Array = new Uint8Array()
  let total = 0
  const startBytes = () => start.subarray(0, Math.min(total, head))
  return {
    push(bytes) {
      const toStart = bytes.subarray(0, Math.max(0, head - total))
      start.set(toStart, Math.min(total, head))
      const rest = bytes.subarray(toStart.length)
      // A copy: the caller may write to its buffer again.
      if (rest.length > 0) end = Buffer.concat([end, rest]).subarray(-tail)
      total += bytes.length
    },
    get total() {
      return total
    },
    get isCut() {
      return total > head + tail
    },
    text() {
      if (total <= head + tail) return decode(Buffer.concat([startBytes(), end]))
      const missing = total - head - end.length
      const first = startBytes()
      const whole = first.subarray(0, wholeCharacters(first))
      return `${decode(whole)}\n… ${missing} bytes are left out here …\n${decode(fromCharacter(end))}`
    },
    lastText(maxBytes) {
      const all = Buffer.concat([startBytes(), end]).subarray(-maxBytes)
      return decode(fromCharacter(all))
    },
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Without the rest of a character that began before. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  let skip = 0
  while (skip < 3 && ((bytes[skip] ?? 0) & 0xc0) === 0x80) skip += 1
  return bytes.subarray(skip)
}
