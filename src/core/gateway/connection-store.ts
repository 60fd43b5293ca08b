import type { Principal } from '../kernel/call.ts'
import type { ToldEvent } from '../events/event.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { McpServerSpec } from './server-spec.ts'

/** Whose connection to an MCP server it is. An empty subject is the tenant as a whole. */
export interface ConnectionKey {
  tenant: string
  server: string
  /** `kind:id` of a principal, or nothing. */
  subject: string
}

/** A server that somebody signs in to, and for whom. */
export interface SignInTarget extends ConnectionKey {
  url: string
  oauth: NonNullable<McpServerSpec['oauth']>
}

/** Who began a sign-in. */
export interface SignInStarter {
  by: Principal
  /** The browser's; absent where a key began it. */
  signInId?: string
}

/** Where to send the person, and how long that works. */
export interface StartedSignIn {
  url: string
  expiresAt: number
}

/** The subject of a principal. */
export function toSubject({ kind, id }: Principal): string {
  return `${kind}:${id}`
}

/**
 * What is kept of a connection, each by the issuer that gave it: `client` is how we are known there,
 * `tokens` are what was given to us. One issuer's are never shown to another.
 */
export type CredentialKind = 'client' | 'tokens'

/** One credential, opened. Never leaves the gateway. */
export interface Credential {
  issuer: string
  value: JsonValue
  /** Counts up with every write. */
  version: number
  updatedAt: number
}

export interface CredentialEntry {
  kind: CredentialKind
  issuer: string
  value: JsonValue
  /** Written only while this is the version that is stored; 0: while there is none. */
  ifVersion?: number
  /** Of a connection that somebody made: an event, in the same transaction. */
  told?: ToldEvent
}

/** A connection without its credentials, for people. */
export interface ConnectionFacts {
  subject: string
  issuer: string
  connectedAt: number
  updatedAt: number
}

/** A sign-in that was begun and has not come back yet. */
export interface PendingSignIn extends ConnectionKey {
  value: JsonValue
  expiresAt: number
}

/**
 * Credentials for MCP servers, sealed like secrets and bound to their row. They go with their
 * server, their tenant, their member and their key, in the same transaction.
 */
export interface ConnectionStore {
  /** Of this issuer; without one, what was written last. */
  find(
    key: ConnectionKey,
    which: { kind: CredentialKind; issuer?: string },
  ): Promise<Credential | undefined>
  /** The version that it has now; undefined when another was written meanwhile. */
  put(key: ConnectionKey, entry: CredentialEntry): Promise<number | undefined>
  /**
   * The right to replace this version, for so long: of all nodes one has it. Writing or forgetting
   * ends it.
   */
  lease(
    key: ConnectionKey,
    of: CredentialKind,
    lease: { issuer: string; version: number; ms: number },
  ): Promise<boolean>
  /** Gives the lease back: nothing came of it, and the next one need not wait for its end. */
  release(
    key: ConnectionKey,
    of: CredentialKind,
    lease: { issuer: string; version: number },
  ): Promise<void>
  /** Of one kind or all; without an issuer, of all. With an event where something was there. */
  remove(
    key: ConnectionKey,
    which: { kind?: CredentialKind; issuer?: string; told?: ToldEvent },
  ): Promise<boolean>
  /** Who is connected, by subject. */
  list(tenant: string, server: string): Promise<ConnectionFacts[]>
  /** Notes a sign-in under a secret that nobody can guess; only a digest of that is kept. */
  begin(state: string, pending: PendingSignIn): Promise<void>
  /** Looks without using it up. */
  peek(state: string): Promise<PendingSignIn | undefined>
  /** Uses it up: of two at once one gets it. */
  take(state: string): Promise<PendingSignIn | undefined>
  /** Removes sign-ins that never came back. Returns how many. */
  sweep(): Promise<number>
}
