import type { AppliedLimit, LimitedCall, LimitSet } from './limit-set.ts'
import type { Spent } from './usage-totals.ts'

/** A call that is about to run, as far as limits need it. */
export interface EnteringCall extends LimitedCall {
  limits: LimitSet
  /** Counts in which a parent call has a slot: the chain takes no second one. */
  held?: ReadonlySet<string>
  /** It has run before, and was counted then. */
  isAgain?: boolean
  /** A model call: only budgets count it, and it takes no slot. */
  isModel?: boolean
}

/** The capacity that a running call takes from its limits. */
export interface Permit {
  /** Counts in which the chain has a slot from here on. */
  readonly held: ReadonlySet<string>
  /** The call starts: from here on it counts. */
  begin(): void
  /** Adds usage. */
  spend(spent: Spent): void
  /** The call has ended, or was not made after all. */
  leave(): void
}

/** A request that did not become a call; without a tool if no tool has that name. */
export interface RefusedRequest {
  limits: LimitSet
  tool: LimitedCall['tool'] | undefined
  caller: LimitedCall['caller']
}

/** Issues permits to calls. */
export interface Limiter {
  /**
   * Undefined when no limit applies to this call. Throws rate_limited or budget_exceeded, with the
   * time to retry, when a limit has no capacity; then no limit has lost any.
   */
  enter(call: EnteringCall): Promise<Permit | undefined>
  /** Throws if a limit never admits such a call: nobody need be asked or wait for it. */
  refuseImpossible(call: Omit<EnteringCall, 'held' | 'isAgain'>): void
  /**
   * Counts a request that was refused before it became a call towards the caller's calls per
   * minute. Throws rate_limited when they are used up.
   */
  countRefused(request: RefusedRequest): Promise<void>
  /** Throws rate_limited for a moment after that: requests in that time are not even checked. */
  refuseBlocked(request: RefusedRequest): void
  /**
   * When to retry a queued call that was refused by a limit: each a little later than the one
   * before. Undefined for any other error, and if there will never be capacity.
   */
  returnInMs(tenant: string, error: unknown): number | undefined
}

/** One refusal, for the metrics. */
export type RefusalListener = (measure: string, applied: AppliedLimit) => void
