import type { JsonValue } from '../kernel/json.ts'

/** One server of one tenant. Servers for all tenants belong to the default tenant. */
export interface ServerKey {
  tenant: string
  server: string
}

/**
 * The protocol that a server was found to use, and when: servers are updated, so it is checked
 * again.
 */
export interface EraVerdict {
  era: 'modern' | 'legacy'
  /** The negotiated revision. */
  version: string
  /** Milliseconds since the epoch. */
  checkedAt: number
}

/** The known facts about a server, so that its tools are available right after a start. */
export interface KnownServer extends ServerKey {
  /** Of the command, arguments and address: a different fingerprint is a different server. */
  fingerprint: string
  verdict?: EraVerdict
  /** The tools it last listed, bounded; undefined if it never did. */
  tools?: readonly JsonValue[]
  /** Its self-description: name, version, instructions, capabilities. */
  about?: JsonValue
  listedAt?: number
  /** Names of its tools that were seen to ask their callers questions. */
  asking?: readonly string[]
}

export interface GatewayStore {
  /** The known facts of all servers of a tenant, by name. */
  list(tenant: string): Promise<KnownServer[]>
  find(key: ServerKey): Promise<KnownServer | undefined>
  /** Replaces the known facts. */
  write(known: KnownServer): Promise<void>
  /** False when nothing was known. */
  forget(key: ServerKey): Promise<boolean>
}
