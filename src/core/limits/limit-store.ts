import type { EventEntry } from '../events/event.ts'
import type { Page } from '../kernel/page.ts'

/** One count: a subject of a limit of a tenant. */
export interface LimitCount {
  tenant: string
  /** The limit's key: its name, or `global:<name>`. */
  limit: string
  /** `agent:support` */
  subject: string
}

/** Permits to make calls, valid in one slice of time. */
export interface PermitGrant {
  granted: number
  /** The slice they count in. */
  slot: number
  /** The remaining time of the slice, by the clock that all nodes share. */
  validMs: number
  /** When there is capacity again; undefined if there never will be. */
  retryAfterMs: number | undefined
}

/** Permits that were taken and not used. */
export interface UnusedPermits extends LimitCount {
  slot: number
  count: number
}

/** The period in which an event is recorded only once. */
export type NoticePeriod = 'minute' | 'day' | 'month'

export interface CountedUse {
  subject: string
  calls: number
  concurrent: number
}

/**
 * Limits shared between nodes. Concurrent requests never exceed a limit; permits of dead nodes are
 * released.
 */
export interface LimitStore {
  /** Grants as many as possible, at most the number wanted. */
  takePermits(of: LimitCount, ask: { most: number; wanted: number }): Promise<PermitGrant>
  givePermitsBack(unused: readonly UnusedPermits[]): Promise<void>
  /**
   * Sets the slots of this node to `wanted`, or to what others leave of `most`, but never fewer
   * than are in use. Returns how many it holds.
   */
  holdPlaces(of: LimitCount, ask: { most: number; wanted: number; inUse: number }): Promise<number>
  /** Records the event for the first caller in this period; false for all others. */
  tellOnce(
    of: LimitCount & { measure: string },
    period: NoticePeriod,
    told: EventEntry,
  ): Promise<boolean>
  /** The heaviest users first. `after` is how many to skip. */
  listUse(
    of: Pick<LimitCount, 'tenant' | 'limit'>,
    query: { after: number; limit: number },
  ): Promise<Page<CountedUse>>
  findUse(of: LimitCount): Promise<CountedUse>
  /** Removes counts that were not used for an hour. Returns how many. */
  forgetIdle(): Promise<number>
}
