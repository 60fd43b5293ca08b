import type { JsonValue } from '../kernel/json.ts'

/** One server of one tenant. Servers for everybody belong to the default tenant. */
export interface ServerKey {
  tenant: string
  server: string
}

/** Which protocol a server was found to speak, and when: servers are updated, so it is looked at again. */
export interface EraVerdict {
  era: 'modern' | 'legacy'
  /** The revision that was agreed on. */
  version: string
  /** Milliseconds since the epoch. */
  checkedAt: number
}

/** What is known of a server without asking it: so its tools are there at once after a start. */
export interface KnownServer extends ServerKey {
  /** Of what reaches it (command, arguments, address): another one is another server. */
  fingerprint: string
  verdict?: EraVerdict
  /** Its tools as it listed them last, bounded; undefined where it never did. */
  tools?: readonly JsonValue[]
  /** Its own word: name, version, instructions, capabilities. */
  about?: JsonValue
  listedAt?: number
  /** Its names of tools that were seen to ask their callers. */
  asking?: readonly string[]
}

export interface GatewayStore {
  /** All that is known of the servers of a tenant, by name. */
  list(tenant: string): Promise<KnownServer[]>
  find(key: ServerKey): Promise<KnownServer | undefined>
  /** In place of what was known. */
  write(known: KnownServer): Promise<void>
  /** False when nothing was known. */
  forget(key: ServerKey): Promise<boolean>
}
