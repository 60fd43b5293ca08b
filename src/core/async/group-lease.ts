import type { GroupStore } from './group-store.ts'
import type { GroupRecord } from './group.ts'

/** A lease while it is kept. */
export interface GroupLease {
  /** Aborted when the lease is another's, or with the signal that was given. */
  signal: AbortSignal
  stop(): void
}

/** Says again and again that this node still works on the group: three chances before it is another's. */
export function keepLease(
  { tenant, groupId, attempt }: Pick<GroupRecord, 'tenant' | 'groupId' | 'attempt'>,
  options: { store: Pick<GroupStore, 'keep'>; leaseMs: number; signal?: AbortSignal },
): GroupLease {
  const { store, leaseMs } = options
  const lost = new AbortController()
  const keep = async () => {
    // The store may answer the next time; if not, the lease ends by itself.
    const isOurs = await store
      .keep(tenant, groupId, { attempt, ms: leaseMs })
      .catch(() => undefined)
    if (isOurs === false) lost.abort()
  }
  const timer = setInterval(() => void keep(), leaseMs / 3)
  ;(timer as { unref?: () => void }).unref?.()
  const signals = options.signal === undefined ? [lost.signal] : [lost.signal, options.signal]
  return { signal: AbortSignal.any(signals), stop: () => clearInterval(timer) }
}
