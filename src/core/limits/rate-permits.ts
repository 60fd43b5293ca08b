import type { LimitCount, LimitStore, UnusedPermits } from './limit-store.ts'

/** The permits that this node has for one slice. */
interface Lease {
  slot: number
  left: number
  endsAt: number
}

interface Entry {
  of: LimitCount
  lease: Lease
  /** Calls made here in the slice of the last grant, and in the one before. */
  slot: number
  used: number
  usedBefore: number
  waiting: number
  fetching: Promise<void> | undefined
  refusal: { until: number; retryAt: number | undefined } | undefined
  touchedAt: number
}

/** The result of taking a permit. */
export type RatePermitResult =
  /** `undo` returns it: the call was not made. */
  { kind: 'taken'; undo(): void } | { kind: 'refused'; retryAfterMs: number | undefined }

/** The share of a limit that a node takes at most for the calls it expects. */
const leaseShare = 20
/** A refused caller that keeps asking is answered from memory for this long. */
const refusedForMs = 500
const forgetAfterMs = 15_000
const heldAtMost = 10_000

const nothing: Lease = Object.freeze({ slot: -1, left: 0, endsAt: -Infinity })

/**
 * Calls per minute on this node. Permits are taken in blocks: as many as were used recently, at
 * most a twentieth of the limit, so that most calls cost no round trip. They expire with their
 * slice of time; unused ones are then returned.
 */
export class RatePermits {
  readonly #store: Pick<LimitStore, 'takePermits' | 'givePermitsBack'>
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  #unused: UnusedPermits[] = []

  constructor(
    store: Pick<LimitStore, 'takePermits' | 'givePermitsBack'>,
    now: () => number = () => performance.now(),
  ) {
    this.#store = store
    this.#now = now
  }

  /** Number of subjects in memory. */
  get size(): number {
    return this.#entries.size
  }

  async take(of: LimitCount, most: number): Promise<RatePermitResult> {
    if (most <= 0) return { kind: 'refused', retryAfterMs: undefined }
    const entry = this.#find(of)
    for (;;) {
      const at = this.#now()
      entry.touchedAt = at
      const { lease, refusal } = entry
      if (lease.left > 0 && at < lease.endsAt) {
        lease.left -= 1
        entry.used += 1
        return { kind: 'taken', undo: () => this.#undo(entry, lease) }
      }
      if (refusal !== undefined && at < refusal.until) {
        const { retryAt } = refusal
        return { kind: 'refused', retryAfterMs: retryAt && Math.max(0, retryAt - at) }
      }
      entry.waiting += 1
      try {
        entry.fetching ??= this.#fetch(entry, most).finally(() => (entry.fetching = undefined))
        await entry.fetching
      } finally {
        entry.waiting -= 1
      }
    }
  }

  /** Returns expired permits, and forgets subjects that no longer call. */
  async tick(): Promise<void> {
    const at = this.#now()
    for (const [key, entry] of this.#entries) {
      if (entry.fetching !== undefined || entry.waiting > 0) continue
      if (at >= entry.lease.endsAt) this.#endLease(entry)
      const isIdle = at - entry.touchedAt > forgetAfterMs
      if (isIdle && entry.lease === nothing) this.#entries.delete(key)
    }
    await this.#flush()
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) this.#endLease(entry)
    await this.#flush()
  }

  #find(of: LimitCount): Entry {
    const key = `${of.tenant}\n${of.limit}\n${of.subject}`
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = {
      of,
      lease: nothing,
      slot: -1,
      used: 0,
      usedBefore: 0,
      waiting: 0,
      fetching: undefined,
      refusal: undefined,
      touchedAt: this.#now(),
    }
    this.#entries.set(key, entry)
    if (this.#entries.size > heldAtMost) this.#forgetOne()
    return entry
  }

  /** The oldest that nobody waits for; its permits are not lost. */
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      if (entry.waiting > 0 || entry.fetching !== undefined) continue
      this.#endLease(entry)
      this.#entries.delete(key)
      return
    }
  }

  async #fetch(entry: Entry, most: number): Promise<void> {
    // Permits left of an earlier slice count, or a caller within the limit would be refused.
    this.#endLease(entry)
    await this.#flush()
    // The slice lasts at least this much longer from here, because it is requested afterwards.
    const askedAt = this.#now()
    const expected = Math.min(Math.max(entry.used, entry.usedBefore / 2), most / leaseShare)
    const wanted = Math.max(entry.waiting, Math.ceil(expected), 1)
    const grant = await this.#store.takePermits(entry.of, { most, wanted })
    if (grant.slot !== entry.slot) {
      Object.assign(entry, { usedBefore: entry.used, used: 0, slot: grant.slot })
    }
    entry.lease = { slot: grant.slot, left: grant.granted, endsAt: askedAt + grant.validMs }
    if (grant.granted > 0) return
    const { retryAfterMs } = grant
    const until = askedAt + Math.min(refusedForMs, retryAfterMs ?? refusedForMs)
    entry.refusal = { until, retryAt: retryAfterMs && askedAt + retryAfterMs }
  }

  #undo(entry: Entry, lease: Lease): void {
    if (entry.lease === lease) lease.left += 1
    else this.#unused.push({ ...entry.of, slot: lease.slot, count: 1 })
  }

  #endLease(entry: Entry): void {
    const { slot, left } = entry.lease
    if (left > 0) this.#unused.push({ ...entry.of, slot, count: left })
    entry.lease = nothing
  }

  async #flush(): Promise<void> {
    if (this.#unused.length === 0) return
    const back = this.#unused
    this.#unused = []
    // If this fails, the permits are lost for a minute; nothing else happens.
    await this.#store.givePermitsBack(back)
  }
}
