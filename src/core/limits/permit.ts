import type { AppliedLimit, LimitedCall, LimitSet } from './limit-set.ts'
import type { Spent } from './usage-totals.ts'

/** A call that is about to run, and what limits know of it. */
export interface EnteringCall extends LimitedCall {
  limits: LimitSet
  /** Counts in which a call above this one has its place: the chain takes none again. */
  held?: ReadonlySet<string>
  /** It has run before, and was counted then. */
  isAgain?: boolean
  /** A model is asked: only budgets count that, for it is no call and takes no place among them. */
  isModel?: boolean
}

/** What a call holds of its limits while it runs. */
export interface Permit {
  /** Counts in which the chain has its place from here on. */
  readonly held: ReadonlySet<string>
  /** The call is made: from here on it counts. */
  begin(): void
  /** It has used this much. */
  spend(spent: Spent): void
  /** It has ended, or was not made after all. */
  leave(): void
}

/** A request that did not become a call; without a tool where there is none of that name. */
export interface RefusedRequest {
  limits: LimitSet
  tool: LimitedCall['tool'] | undefined
  caller: LimitedCall['caller']
}

/** Where calls get their permits. */
export interface Limiter {
  /**
   * Undefined when nothing limits this call. Throws rate_limited or budget_exceeded, with the time to
   * come back, when a limit has no room; then none has lost any.
   */
  enter(call: EnteringCall): Promise<Permit | undefined>
  /** Throws where a limit never lets such a call through: nobody need be asked or wait for it. */
  refuseImpossible(call: Omit<EnteringCall, 'held' | 'isAgain'>): void
  /**
   * Counts a request that was refused before it became a call, as one of the caller's calls a minute.
   * Throws rate_limited when those are used up.
   */
  countRefused(request: RefusedRequest): Promise<void>
  /** Throws rate_limited for a moment after that: what comes then is not even looked at. */
  refuseBlocked(request: RefusedRequest): void
  /**
   * When a queued call that was refused like this is to be tried again: each a little later than the
   * one before. Undefined for any other error, and where there never will be room.
   */
  returnInMs(tenant: string, error: unknown): number | undefined
}

/** One refusal, for the metrics. */
export type RefusalListener = (measure: string, applied: AppliedLimit) => void
