import type { Caller } from '../call.ts'
import type { Page } from '../page.ts'
import type { ToolMode } from '../search/meta-tools.ts'
import type { ApiKey, IssuedKey, TokenState } from '../vault-ports.ts'

/** A key that was just made or rotated; `warnings` say what about it does nothing. */
export interface KeyAnswer extends IssuedKey {
  warnings?: readonly string[]
}

/** The state of a token that was found somewhere. Other tenants' keys are `unknown`; what only looks like a key is `not_a_key`. */
export interface TokenReport {
  id: string
  state: TokenState | 'unknown' | 'not_a_key'
  name?: string
}

/** A token for a visitor, and when it ends. */
export interface VisitorToken extends IssuedKey {
  expiresAt: string
}

/** What a visitor of a site may do, and for how long. */
export interface VisitorTokenRequest {
  /** A name that stays the same for the same person: what they own belongs to it. */
  visitor: string
  scopes: readonly string[]
  agent?: string
  expiresInMs?: number
}

export const visitorTokenMs = { least: 60_000, most: 86_400_000, usual: 3_600_000 } as const

/** The longest that an old secret may work beside the new one. */
export const maxOverlapMs = 7 * 86_400_000

/** Keys that come in over HTTP and MCP. */
export interface KeysApi {
  /** Oldest first; never with a secret or a digest of one. */
  listKeys(
    caller: Caller,
    query: { parent?: string; after?: string; limit: number },
  ): Promise<Page<ApiKey>>
  createKey(
    caller: Caller,
    key: {
      name: string
      scopes: readonly string[]
      agent?: string
      toolMode?: ToolMode
      expiresAt?: Date
    },
  ): Promise<KeyAnswer>
  /** A short-lived token for a page of the site whose key asks: never more than that key may do. */
  issueToken(caller: Caller, request: VisitorTokenRequest): Promise<VisitorToken>
  /** Another secret under the same id; the old one works for `overlapMs` more. */
  rotateKey(caller: Caller, id: string, rotation: { overlapMs?: number }): Promise<KeyAnswer>
  revokeKey(caller: Caller, id: string): Promise<void>
  /** Which of these tokens of ours still work. Asking is no use of them. */
  checkTokens(caller: Caller, tokens: readonly string[]): Promise<TokenReport[]>
  /** Told when something has changed that may end what this caller is in the middle of. Returns the way to stop. */
  watchAccess(caller: Caller, listener: () => void): () => void
}
