import type { Stores } from '../stores.ts'
import type { Sweep } from '../../core/work-ports.ts'

const everyMs = 600_000
/** How long the stream of a finished turn is kept for clients that reconnect. */
const keepMs = 3_600_000
const atOnce = 500

/** A turn streams up to ten rows a second. Old rows are deleted in small batches until none are left. */
export function streamSweep({ now, conversations }: Pick<Stores, 'now' | 'conversations'>): Sweep {
  return {
    name: 'old streams',
    everyMs,
    isWoken: false,
    run: () => conversations.removeChunks(now() - keepMs, atOnce),
  }
}
