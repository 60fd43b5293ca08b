import type { Store } from '../../core/ports.ts'
import type { Sweep } from '../../core/work-ports.ts'

const everyMs = 600_000
/** What was streamed of a turn stays so long after its end, for whoever comes back late. */
const keepMs = 3_600_000
const atOnce = 500

/** A turn streams up to ten rows a second, so all that are old go: little by little, until none is left. */
export function streamSweep({ now, conversations }: Pick<Store, 'now' | 'conversations'>): Sweep {
  return {
    name: 'old streams',
    everyMs,
    isWoken: false,
    run: () => conversations.removeChunks(now() - keepMs, atOnce),
  }
}
