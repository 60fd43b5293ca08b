import type { ToldEvent } from '../events/event.ts'
import type { Page } from '../kernel/page.ts'

/** One count: a subject of a limit of a tenant. */
export interface LimitCount {
  tenant: string
  /** The limit's key: its name, or `global:<name>`. */
  limit: string
  /** `agent:support` */
  subject: string
}

/** Permits to make calls, good in one slice of time. */
export interface PermitGrant {
  granted: number
  /** The slice they count in. */
  slot: number
  /** How long this slice still lasts, by the clock that all nodes share. */
  validMs: number
  /** When there is room again; undefined when there never will be. */
  retryAfterMs: number | undefined
}

/** Permits that were taken and not used. */
export interface UnusedPermits extends LimitCount {
  slot: number
  count: number
}

/** How long something is told only once. */
export type TellingPeriod = 'minute' | 'day' | 'month'

export interface CountedUse {
  subject: string
  calls: number
  concurrent: number
}

/**
 * What nodes share of their limits. A count is never over its limit, whoever asks at the same time;
 * what it holds of nodes that are gone comes free.
 */
export interface LimitStore {
  /** As many as there is room for, at most those wanted. */
  takePermits(of: LimitCount, ask: { most: number; wanted: number }): Promise<PermitGrant>
  givePermitsBack(unused: readonly UnusedPermits[]): Promise<void>
  /**
   * From now on this node holds `wanted` places, or as many as others leave of `most`, but never
   * fewer than are in use. Returns how many it holds.
   */
  holdPlaces(of: LimitCount, ask: { most: number; wanted: number; inUse: number }): Promise<number>
  /** The first who asks in this period records the event; false for all others. */
  tellOnce(
    of: LimitCount & { measure: string },
    period: TellingPeriod,
    told: ToldEvent,
  ): Promise<boolean>
  /** Who has used most, those first. `after` is how many to leave out. */
  listUse(
    of: Pick<LimitCount, 'tenant' | 'limit'>,
    query: { after: number; limit: number },
  ): Promise<Page<CountedUse>>
  findUse(of: LimitCount): Promise<CountedUse>
  /** Counts that nobody has touched for an hour. Returns how many went. */
  forgetIdle(): Promise<number>
}
