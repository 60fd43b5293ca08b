import type { CallOutput } from '../../../core/kernel/call-request.ts'
import { toFrame } from './event-stream.ts'

/** Output that the reader of a call's stream has not taken yet. */
export interface PendingOutput {
  add(output: CallOutput): void
  /** Everything that waits, as frames; empty when nothing does. */
  take(): string
}

/**
 * Holds output for a slow reader, up to `maxBytes`. A tool cannot be made to wait, so beyond that
 * the oldest is dropped and a `gap` carries the count: the event log keeps all text and the latest
 * output.
 */
export function createPendingOutput(maxBytes: number): PendingOutput {
  let frames: string[] = []
  let size = 0
  let dropped = 0
  return {
    add(output) {
      const frame = toFrame('call.output', output)
      frames.push(frame)
      size += frame.length
      while (size > maxBytes && frames.length > 1) {
        size -= frames.shift()?.length ?? 0
        dropped += 1
      }
    },
    take() {
      const gap = dropped === 0 ? '' : toFrame('gap', { dropped })
      const text = gap + frames.join('')
      frames = []
      size = 0
      dropped = 0
      return text
    },
  }
}
