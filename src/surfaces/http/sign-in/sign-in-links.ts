import type { Caller } from '../../../core/call.ts'
import { createExpiringTokens } from './expiring-tokens.ts'

/** One-time links by which the owner signs in to the console. */
export interface SignInLinks {
  /** The path and query of a fresh link; the server's address goes before it. */
  issue(caller: Caller): string
  /** The caller of a link's token, once. */
  redeem(token: string): Caller | undefined
}

const hourMs = 60 * 60 * 1000

/** Opens an empty set of links. Each works once, for an hour unless told otherwise. */
export function createSignInLinks(
  options: { lifetimeMs?: number; now?: () => number } = {},
): SignInLinks {
  const tokens = createExpiringTokens<Caller>({
    lifetimeMs: options.lifetimeMs ?? hourMs,
    maxCount: 100,
    now: options.now,
  })
  return {
    issue: (caller) => `/sign-in?token=${tokens.issue(caller)}`,
    redeem: (token) => tokens.take(token),
  }
}
