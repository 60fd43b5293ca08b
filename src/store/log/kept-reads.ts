import { toStoredText } from './stored-text.ts'
import type { Engine } from '../engine/engine.ts'

/** State of one session of a tenant. */
export interface KeptReads<T> {
  read(tenant: string, session: string): Promise<T>
  /** Changes it; later readers see the change. */
  change<Result>(tenant: string, session: string, work: () => Promise<Result>): Promise<Result>
}

const keepMs = 60_000
const keptAtMost = 10_000

/**
 * Facts that nearly every call of a session needs, cached on the embedded engine: this process is
 * the only writer there, and a query to the database would flush everything deferred. The cache is
 * not kept for ever, because retention removes old rows without notice; a session that was active
 * within a minute has younger calls than that.
 */
export function keepReads<T>(
  { kind }: Pick<Engine, 'kind'>,
  read: (tenant: string, session: string) => Promise<T>,
): KeptReads<T> {
  if (kind !== 'pglite') return { read, change: (_tenant, _session, work) => work() }
  const kept = new Map<string, { until: number; found: Promise<T> }>()

  function recall(tenant: string, session: string): Promise<T> {
    const name = nameOf(tenant, session)
    const known = kept.get(name)
    if (known !== undefined && known.until > performance.now()) return known.found
    // Noted before the read, so that a concurrent change drops it.
    const entry = { until: performance.now() + keepMs, found: read(tenant, session) }
    kept.delete(name)
    kept.set(name, entry)
    if (kept.size > keptAtMost) kept.delete(kept.keys().next().value ?? '')
    entry.found.catch(() => kept.get(name) === entry && kept.delete(name))
    return entry.found
  }
  return {
    read: recall,
    async change(tenant, session, work) {
      try {
        return await work()
      } finally {
        kept.delete(nameOf(tenant, session))
      }
    },
  }
}

/** As they are stored neither holds the mark between them. */
function nameOf(tenant: string, session: string): string {
  return `${toStoredText(tenant)}\0${toStoredText(session)}`
}
