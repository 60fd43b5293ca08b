import type { GroupStore } from './group-store.ts'
import type { GroupRecord } from './group.ts'

/** A lease that is being renewed. */
export interface GroupLease {
  /** Aborted when another node has the lease, or by the given signal. */
  signal: AbortSignal
  /**
   * True if work may start: at least two thirds of the lease are left. A process that froze, or got
   * its answer late, asks the store first; false if another node has the group by now.
   */
  confirm(): Promise<boolean>
  stop(): void
}

export interface GroupLeaseOptions {
  store: Pick<GroupStore, 'keep'>
  leaseMs: number
  /** When the lease was requested, by `performance.now()`: it may have started at that moment. */
  askedAt: number
  signal?: AbortSignal
}

/** Renews the lease of this node on the group: three attempts before another node can take it. */
export function keepLease(
  { tenant, groupId, attempt }: Pick<GroupRecord, 'tenant' | 'groupId' | 'attempt'>,
  options: GroupLeaseOptions,
): GroupLease {
  const { store, leaseMs } = options
  const lost = new AbortController()
  let { askedAt } = options
  const keep = async () => {
    const at = performance.now()
    const isOurs = await store.keep(tenant, groupId, { attempt, ms: leaseMs })
    if (isOurs) askedAt = Math.max(askedAt, at)
    else lost.abort()
  }
  // The store may answer the next time; if not, the lease expires.
  const timer = setInterval(() => void keep().catch(() => undefined), leaseMs / 3)
  ;(timer as { unref?: () => void }).unref?.()
  const signals = options.signal === undefined ? [lost.signal] : [lost.signal, options.signal]
  const signal = AbortSignal.any(signals)
  return {
    signal,
    async confirm() {
      // Repeated if the answer took as long: an answer is as old as its request.
      while (!signal.aborted && performance.now() - askedAt > leaseMs / 3) await keep()
      return !signal.aborted
    },
    stop: () => clearInterval(timer),
  }
}
