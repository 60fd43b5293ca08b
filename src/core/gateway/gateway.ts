import type { Principal } from '../kernel/call.ts'
import type { ServerKey } from './gateway-store.ts'
import type { McpServerSpec } from './server-spec.ts'
import type { ServerStatus } from './server-status.ts'
import type { LibrarySource } from '../library/library-api.ts'
import type { OwnTool } from '../tenant-tables.ts'

/** The servers of one owner: a tenant's own, or everybody's, which belong to the default tenant. */
export interface ServerOwner {
  tenant: string
  isForEveryone: boolean
}

/** What a server is, and when somebody last wanted it started anew: a later time stops what runs. */
export interface ServerSettings extends McpServerSpec {
  restartedAt?: string
}

/** How a server stood when it was tried out. */
export interface ServerTrial extends ServerStatus {
  /** It was asked on the process that calls use. */
  isLive?: true
}

/** Figures for metrics. */
export interface GatewayCounts {
  servers: number
  connected: number
  down: number
  quarantined: number
}

/** Tools, prompts and resources of other MCP servers. Made by `createGateway`. */
export interface Gateway {
  /**
   * These are the servers of an owner from now on; whatever else it had is stopped. A server that
   * is reached as before goes on, with its new settings. Connects in the background, once it has begun.
   */
  setServers(owner: ServerOwner, servers: Readonly<Record<string, ServerSettings>>): void
  /** From here on servers are connected to, those that are there and those that come. */
  begin(): void
  /**
   * The tools of an owner's servers as they are known now, by what was accepted of them. Waits for
   * the store alone, never for a server. The same objects while nothing has changed.
   */
  toolsOf(owner: ServerOwner): Promise<readonly OwnTool[]>
  /** How the servers of a tenant stand, everybody's among them; by name. */
  statusOf(tenant: string): ServerStatus[]
  /** Undefined when there is no such server. */
  findStatus(key: ServerKey): ServerStatus | undefined
  /**
   * Connects, lists and stops again, without registering or pinning anything: what somebody is shown
   * before a server is added. A program that is there with these settings is not started beside
   * itself: the one that calls use is asked, started where it does not run. Rejects with
   * upstream_failed, unauthorized or secret_missing.
   */
  tryOut(key: ServerKey, spec: McpServerSpec, principal?: Principal): Promise<ServerTrial>
  /**
   * Connects now, whatever the backoff says, and lists anew: after somebody has signed in, set a
   * secret or wants to know. Resolves when it is listed; rejects with what is in the way. With
   * `reload`, which may learn that another node has started it anew: then that one is listed, too.
   */
  refresh(
    key: ServerKey,
    principal?: Principal,
    reload?: () => Promise<unknown>,
  ): Promise<ServerStatus>
  /** Ends its processes and connections; with a principal, theirs alone. The next use starts anew. */
  stop(key: ServerKey, principal?: Principal): Promise<void>
  /** Secrets of this tenant may have changed: connections that were made with others are not used again. */
  renew(tenant: string): Promise<void>
  readonly library: LibrarySource
  counts(): GatewayCounts
  close(): Promise<void>
}
