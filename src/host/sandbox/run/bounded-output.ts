import type { Readable } from 'node:stream'

/** The output of a command on one stream, up to a limit. */
export interface KeptOutput {
  bytes(): Uint8Array
  dropped(): number
}

interface BoundedOptions {
  maxBytes: number
  onPiece?: ((bytes: Uint8Array) => void) | undefined
}

/** Read at full speed; beyond it a command that never stops would keep the server busy. */
const freeBytes = 64 * 1024 * 1024
/** For each piece beyond, so that at most some 10 MB a second are read. */
const pauseMs = 5

/** Reads a stream to its end, and keeps its beginning. */
export function readBounded(stream: Readable, { maxBytes, onPiece }: BoundedOptions): KeptOutput {
  const kept: Buffer[] = []
  const state = { kept: 0, total: 0 }
  stream.on('data', (piece: Buffer) => {
    state.total += piece.length
    const room = maxBytes - state.kept
    if (room > 0) {
      // A copy: a slice would hold the whole buffer that it was read into.
      const part = room < piece.length ? Buffer.from(piece.subarray(0, room)) : piece
      kept.push(part)
      state.kept += part.length
    }
    onPiece?.(piece)
    if (state.total > freeBytes) slowDown(stream)
  })
  stream.on('error', () => undefined)
  return {
    bytes: () => new Uint8Array(Buffer.concat(kept)),
    dropped: () => state.total - state.kept,
  }
}

/** Lets a command that writes faster than anybody needs wait for the server. */
export function slowDown(stream: Readable): void {
  stream.pause()
  setTimeout(() => stream.resume(), pauseMs).unref()
}
