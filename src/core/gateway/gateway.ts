import type { Principal } from '../kernel/call.ts'
import type { ServerKey } from './gateway-store.ts'
import type { McpServerSpec } from './server-spec.ts'
import type { ServerStatus } from './server-status.ts'
import type { LibrarySource } from '../library/library-api.ts'
import type { OwnTool } from '../tenant-tables.ts'

/** An owner of servers: a tenant, or the default tenant for servers shared by all. */
export interface ServerOwner {
  tenant: string
  isForEveryone: boolean
}

/**
 * The settings of a server, and when a restart was last requested: a later time stops running
 * processes.
 */
export interface ServerSettings extends McpServerSpec {
  restartedAt?: string
}

/** The result of testing a server. */
export interface ServerTrial extends ServerStatus {
  /** The test used the process that serves calls. */
  isLive?: true
}

/** Figures for metrics. */
export interface GatewayCounts {
  servers: number
  connected: number
  down: number
  quarantined: number
}

/** Tools, prompts and resources of other MCP servers. Created by `createGateway`. */
export interface Gateway {
  /**
   * Replaces the servers of an owner; others it had are stopped. A server with the same connection
   * settings keeps running, with its new settings. Connects in the background after `begin`.
   */
  setServers(owner: ServerOwner, servers: Readonly<Record<string, ServerSettings>>): void
  /** Starts connecting to servers, current and future ones. */
  begin(): void
  /**
   * The known tools of an owner's servers, as far as they were accepted. Waits only for the store,
   * never for a server. The same objects while nothing has changed.
   */
  toolsOf(owner: ServerOwner): Promise<readonly OwnTool[]>
  /** The status of the servers of a tenant, including shared ones; by name. */
  statusOf(tenant: string): ServerStatus[]
  /** Undefined when there is no such server. */
  findStatus(key: ServerKey): ServerStatus | undefined
  /**
   * Connects, lists and stops again, without registering or pinning anything: for a preview before
   * a server is added. If a process with these settings already exists, it is used instead of a
   * second one, and started if necessary. Rejects with upstream_failed, unauthorized or
   * secret_missing.
   */
  tryOut(key: ServerKey, spec: McpServerSpec, principal?: Principal): Promise<ServerTrial>
  /**
   * Connects now, regardless of the backoff, and lists again: after a person has signed in, set a
   * secret or asks for it. Resolves when the tools are listed; rejects with the obstacle. With
   * `reload`, it first checks whether another node has restarted the server, and lists that one,
   * too.
   */
  refresh(
    key: ServerKey,
    principal?: Principal,
    reload?: () => Promise<unknown>,
  ): Promise<ServerStatus>
  /**
   * Ends its processes and connections; with a principal, only theirs. The next use starts it
   * again.
   */
  stop(key: ServerKey, principal?: Principal): Promise<void>
  /** Secrets of this tenant may have changed: connections made with other values are not reused. */
  renew(tenant: string): Promise<void>
  readonly library: LibrarySource
  counts(): GatewayCounts
  close(): Promise<void>
}
