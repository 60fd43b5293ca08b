import { toStoredText } from './stored-text.ts'
import type { Engine } from '../engine/engine.ts'

/** What belongs to one session of a tenant. */
export interface KeptReads<T> {
  read(tenant: string, session: string): Promise<T>
  /** Does something to it; who asks after that is told of it. */
  change<Result>(tenant: string, session: string, work: () => Promise<Result>): Promise<Result>
}

const keepMs = 60_000
const keptAtMost = 10_000

/**
 * What nearly every call of a session asks for, kept on the embedded engine: there this process alone
 * writes, and a look at the database brings in all that was put off. Not for ever, because what is
 * old is removed without a word; whoever asked within a minute has calls that are younger than that.
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
    // Noted before it is read, so that a change that comes meanwhile drops it.
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
