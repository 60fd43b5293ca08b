import type { GroupStore } from './group-store.ts'
import type { GroupRecord } from './group.ts'

/** A lease while it is kept. */
export interface GroupLease {
  /** Aborted when the lease is another's, or with the signal that was given. */
  signal: AbortSignal
  /**
   * Whether work may begin: at least two thirds of the lease are left. A process that stood still, or
   * whose answer came late, asks the store first; false when the group is another's by now.
   */
  confirm(): Promise<boolean>
  stop(): void
}

export interface GroupLeaseOptions {
  store: Pick<GroupStore, 'keep'>
  leaseMs: number
  /** When the lease was asked for, by `performance.now()`: it may have begun right then. */
  askedAt: number
  signal?: AbortSignal
}

/** Says again and again that this node still works on the group: three chances before it is another's. */
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
  // The store may answer the next time; if not, the lease ends by itself.
  const timer = setInterval(() => void keep().catch(() => undefined), leaseMs / 3)
  ;(timer as { unref?: () => void }).unref?.()
  const signals = options.signal === undefined ? [lost.signal] : [lost.signal, options.signal]
  const signal = AbortSignal.any(signals)
  return {
    signal,
    async confirm() {
      // Again where the answer took as long: it is as old as the question.
      while (!signal.aborted && performance.now() - askedAt > leaseMs / 3) await keep()
      return !signal.aborted
    },
    stop: () => clearInterval(timer),
  }
}
