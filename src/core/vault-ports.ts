import type { ToolMode } from './kernel/meta-tools.ts'
import type { Principal } from './kernel/call.ts'
import type { Page } from './kernel/page.ts'

/** Who a secret belongs to: a tenant, or one agent of it whose value wins over the tenant's. */
export interface SecretScope {
  tenant: string
  agent?: string
}

/** The same with who changes it: then it is an event, in the same transaction. */
export interface SecretChange extends SecretScope {
  by?: Principal
}

export interface SecretSummary {
  name: string
  agent?: string
  /** Counts up with every write. */
  version: number
  updatedAt: string
  /** Stored without a value, by whatever means: it counts as missing. */
  isEmpty?: true
  /** What it is for, for people. */
  description?: string
  /** When its value stops being good where it comes from. Nothing here stops using it. */
  expiresAt?: string
}

/** What people note of a secret. What is not given stays; null takes it away. */
export interface SecretNotes {
  description?: string | null
  expiresAt?: Date | null
}

/** The vault. Values go in; only the pipeline reads them, for one call, by declared name. */
export interface SecretVault {
  /** A description stays with the name; when it expires is of the value, and goes with it. */
  write(
    scope: SecretChange & { notes?: SecretNotes },
    name: string,
    value: string,
  ): Promise<SecretSummary>
  /** The notes alone. Undefined where there is no such secret. */
  note(scope: SecretChange, name: string, notes: SecretNotes): Promise<SecretSummary | undefined>
  delete(scope: SecretChange, name: string): Promise<boolean>
  list(tenant: string): Promise<SecretSummary[]>
  /** Values of the named secrets that are set; the agent's wins over the tenant's. */
  read(scope: SecretScope, names: readonly string[]): Promise<Map<string, string>>
}

/** The person a key belongs to, and the tenant they are a member of. */
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
  /** How its holder gets to know the tools; as the agent says, or all in a list, unless set. */
  toolMode?: ToolMode
  /** Who made or last rotated it, or made the key that did. Absent: the first owner. */
  owner?: KeyOwner
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  /** When it was last given another secret. */
  rotatedAt?: string
  /** How long the secret before that works, or worked. */
  oldSecretUntil?: string
  revokedAt?: string
  /** Of a visitor's key: the key that issues its tokens. */
  parent?: string
  /** The name by which that key knows the visitor. */
  visitor?: string
}

/** Lets a visitor of somebody's site in, below the key of that site. */
export interface VisitorRequest {
  tenant: string
  /** The id of the key that lets them in. */
  parent: string
  /** A name that stays the same for the same person. */
  visitor: string
  scopes: readonly string[]
  agent?: string
  /** When the token ends. */
  untilMs: number
}

/** A key with its token, which is in no other answer. */
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
  /** Who makes it: then it is an event, in the same transaction. */
  by?: Principal
  /** The tenant that `by` is of, where it is another. */
  home?: string
}

export interface KeyRotation {
  /** So long the old secret works beside the new one (0). */
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

/** How a token stands. `replaced`: the key has another secret by now. */
export type TokenState = 'live' | 'replaced' | 'expired' | 'revoked'

/**
 * Keys at rest: the secret part only as an HMAC. A key belongs to whoever made or last rotated it, or
 * made the key that did; removing that member revokes it. The first owner holds the machine and can't
 * be removed from it, so keys of theirs stay.
 */
export interface KeyStore {
  create(request: KeyRequest): Promise<IssuedKey>
  /** A short-lived token for a visitor, with the rights named now. Revoking either key ends it. */
  issueToken(request: VisitorRequest): Promise<IssuedKey>
  /** The live key of this token, or undefined for anything wrong with it. Same time whichever it is. */
  verify(token: string): Promise<ApiKey | undefined>
  /** The key of this token's id, whatever its state; does not count as a use. */
  inspect(token: string): Promise<{ key: ApiKey; state: TokenState } | undefined>
  find(tenant: string, id: string): Promise<ApiKey | undefined>
  /** Oldest first. */
  list(tenant: string, query: KeyQuery): Promise<Page<ApiKey>>
  /** Another secret under the same id. Undefined when there is no such key that lives. */
  rotate(tenant: string, id: string, rotation: KeyRotation): Promise<IssuedKey | undefined>
  /** Works on every node at once. False when there is no such key that lives. */
  revoke(tenant: string, id: string, by?: Principal): Promise<boolean>
  /** Something about this tenant has changed elsewhere: what is remembered of its keys is looked up again. */
  forget(tenant: string): void
}
