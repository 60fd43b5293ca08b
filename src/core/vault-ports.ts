import type { ToolMode } from './kernel/meta-tools.ts'
import type { Principal } from './kernel/call.ts'
import type { Page } from './kernel/page.ts'

/** The owner of a secret: a tenant, or one of its agents, whose value takes precedence. */
export interface SecretScope {
  tenant: string
  agent?: string
}

/** The same with the author of a change: it is then an event, in the same transaction. */
export interface SecretChange extends SecretScope {
  by?: Principal
}

export interface SecretSummary {
  name: string
  agent?: string
  /** Incremented with every write. */
  version: number
  updatedAt: string
  /** Stored without a value: it counts as missing. */
  isEmpty?: true
  /** Its purpose, for people. */
  description?: string
  /** When its value expires at its origin. Nothing here stops using it then. */
  expiresAt?: string
}

/** People's notes on a secret. Omitted notes are unchanged; null removes one. */
export interface SecretNotes {
  description?: string | null
  expiresAt?: Date | null
}

/** The vault. Values go in; only the pipeline reads them, for one call, by declared name. */
export interface SecretVault {
  /** A description belongs to the name; an expiry belongs to the value, and is replaced with it. */
  write(
    scope: SecretChange & { notes?: SecretNotes },
    name: string,
    value: string,
  ): Promise<SecretSummary>
  /** Only the notes. Undefined if there is no such secret. */
  note(scope: SecretChange, name: string, notes: SecretNotes): Promise<SecretSummary | undefined>
  delete(scope: SecretChange, name: string): Promise<boolean>
  list(tenant: string): Promise<SecretSummary[]>
  /** Values of the named secrets that are set; the agent's takes precedence over the tenant's. */
  read(scope: SecretScope, names: readonly string[]): Promise<Map<string, string>>
}

/** The owner of a key, and the tenant they are a member of. */
export interface KeyOwner {
  tenant: string
  id: string
}

export interface ApiKey {
  id: string
  tenant: string
  name: string
  /** Patterns over permissions. */
  scopes: readonly string[]
  agent?: string
  /** How its holder discovers tools; by default the agent's setting, otherwise a list of all. */
  toolMode?: ToolMode
  /**
   * The member who created or last rotated it, or created the key that did. Absent: the first
   * owner.
   */
  owner?: KeyOwner
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  /** When its secret was last rotated. */
  rotatedAt?: string
  /** Until when the previous secret works. */
  oldSecretUntil?: string
  revokedAt?: string
  /** For a visitor's key: the key that issues its tokens. */
  parent?: string
  /** That key's name for the visitor. */
  visitor?: string
}

/** A request for a visitor's token, below the key of the visited site. */
export interface VisitorRequest {
  tenant: string
  /** The id of the key that issues it. */
  parent: string
  /** A name that stays the same for the same person. */
  visitor: string
  scopes: readonly string[]
  agent?: string
  /** When the token expires. */
  untilMs: number
}

/** A key with its token, which no other response contains. */
export interface IssuedKey {
  key: ApiKey
  token: string
}

export interface KeyRequest {
  tenant: string
  name: string
  scopes: readonly string[]
  agent?: string
  toolMode?: ToolMode
  expiresAt?: Date
  /** Its author: it is then an event, in the same transaction. */
  by?: Principal
  /** The tenant of `by`, if it is another. */
  home?: string
}

export interface KeyRotation {
  /** How long the old secret works beside the new one (0). */
  overlapMs?: number
  by?: Principal
  home?: string
}

export interface KeyQuery {
  /** Only keys of this agent. */
  agent?: string
  /** Only visitors of this key; without it, no visitors. */
  parent?: string
  after?: string
  limit: number
}

/** The state of a token. `replaced`: the key has a new secret. */
export type TokenState = 'live' | 'replaced' | 'expired' | 'revoked'

/**
 * Keys at rest: the secret part only as an HMAC. A key belongs to the member who created or last
 * rotated it, or created the key that did; removing that member revokes it. The first owner holds
 * the machine and can't be removed from it, so their keys stay.
 */
export interface KeyStore {
  create(request: KeyRequest): Promise<IssuedKey>
  /** A short-lived token for a visitor, with these permissions. Revoking either key ends it. */
  issueToken(request: VisitorRequest): Promise<IssuedKey>
  /**
   * The live key of this token, or undefined for an invalid one. Takes the same time in all cases.
   */
  verify(token: string): Promise<ApiKey | undefined>
  /** The key of this token's id, in any state; does not count as a use. */
  inspect(token: string): Promise<{ key: ApiKey; state: TokenState } | undefined>
  find(tenant: string, id: string): Promise<ApiKey | undefined>
  /** Oldest first. */
  list(tenant: string, query: KeyQuery): Promise<Page<ApiKey>>
  /** Replaces the secret under the same id. Undefined when there is no such live key. */
  rotate(tenant: string, id: string, rotation: KeyRotation): Promise<IssuedKey | undefined>
  /** Takes effect on every node at once. False when there is no such live key. */
  revoke(tenant: string, id: string, by?: Principal): Promise<boolean>
  /** Something about this tenant has changed elsewhere: its cached keys are looked up again. */
  forget(tenant: string): void
}
