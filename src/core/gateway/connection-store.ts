import type { Principal } from '../kernel/call.ts'
import type { EventEntry } from '../events/event.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { McpServerSpec } from './server-spec.ts'

/** The owner of a connection to an MCP server. An empty subject is the tenant as a whole. */
export interface ConnectionKey {
  tenant: string
  server: string
  /** `kind:id` of a principal, or empty. */
  subject: string
}

/** A server that a person signs in to, and the owner of the sign-in. */
export interface SignInTarget extends ConnectionKey {
  url: string
  oauth: NonNullable<McpServerSpec['oauth']>
}

/** The person who started a sign-in. */
export interface SignInStarter {
  by: Principal
  /** The browser's sign-in; absent when a key started it. */
  signInId?: string
}

/** The address to send the person to, and its expiry. */
export interface StartedSignIn {
  url: string
  expiresAt: number
}

/** The subject of a principal. */
export function toSubject({ kind, id }: Principal): string {
  return `${kind}:${id}`
}

/**
 * The credentials of a connection, each stored with the issuer that gave it: `client` is our
 * registration there, `tokens` were issued to us. Credentials of one issuer are never sent to
 * another.
 */
export type CredentialKind = 'client' | 'tokens'

/** One decrypted credential. Never leaves the gateway. */
export interface Credential {
  issuer: string
  value: JsonValue
  /** Incremented with every write. */
  version: number
  updatedAt: number
}

export interface CredentialEntry {
  kind: CredentialKind
  issuer: string
  value: JsonValue
  /** Written only if this is the stored version; 0: only if none is stored. */
  ifVersion?: number
  /** For a connection that a person made: an event, in the same transaction. */
  told?: EventEntry
}

/** A connection without its credentials, for people. */
export interface ConnectionFacts {
  subject: string
  issuer: string
  connectedAt: number
  updatedAt: number
}

/** A sign-in that was started and is not finished yet. */
export interface PendingSignIn extends ConnectionKey {
  value: JsonValue
  expiresAt: number
}

/**
 * Credentials for MCP servers, sealed like secrets and bound to their row. They are deleted with
 * their server, their tenant, their member and their key, in the same transaction.
 */
export interface ConnectionStore {
  /** The one of this issuer; without an issuer, the last one written. */
  find(
    key: ConnectionKey,
    which: { kind: CredentialKind; issuer?: string },
  ): Promise<Credential | undefined>
  /** Returns the new version; undefined when another was written in the meantime. */
  put(key: ConnectionKey, entry: CredentialEntry): Promise<number | undefined>
  /**
   * The right to replace this version, for a limited time: only one node has it. Writing or
   * deleting ends it.
   */
  lease(
    key: ConnectionKey,
    of: CredentialKind,
    lease: { issuer: string; version: number; ms: number },
  ): Promise<boolean>
  /** Releases the lease unused, so that the next one need not wait for it to expire. */
  release(
    key: ConnectionKey,
    of: CredentialKind,
    lease: { issuer: string; version: number },
  ): Promise<void>
  /**
   * Removes one kind or all; without an issuer, those of all issuers. With an event if something
   * was removed.
   */
  remove(
    key: ConnectionKey,
    which: { kind?: CredentialKind; issuer?: string; told?: EventEntry },
  ): Promise<boolean>
  /** The connected subjects. */
  list(tenant: string, server: string): Promise<ConnectionFacts[]>
  /** Stores a sign-in under an unguessable secret; only a digest of it is kept. */
  begin(state: string, pending: PendingSignIn): Promise<void>
  /** Reads it without using it up. */
  peek(state: string): Promise<PendingSignIn | undefined>
  /** Uses it up: of two concurrent requests only one gets it. */
  take(state: string): Promise<PendingSignIn | undefined>
  /** Removes sign-ins that were never finished. Returns how many. */
  sweep(): Promise<number>
}
