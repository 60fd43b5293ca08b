import type { EraVerdict } from './gateway-store.ts'
import type { ServerTool } from './tool-pin.ts'

/**
 * The state of a server: `idle` is stopped and starts with the next use, `down` could not be
 * reached or does not stay up and is retried, `unauthorized` needs someone to sign in, `disabled`
 * is switched off.
 */
export type ServerState = 'connecting' | 'connected' | 'idle' | 'down' | 'unauthorized' | 'disabled'

/** A server with its status, for people. */
export interface ServerStatus {
  server: string
  tenant: string
  /** From the configuration, for every tenant. */
  isForEveryone: boolean
  state: ServerState
  /** Why it is not connected, or has no list; a text without secrets. */
  reason?: string
  /** The next retry, in milliseconds since the epoch. */
  retryAt?: number
  verdict?: EraVerdict
  about?: { name?: string; version?: string; title?: string; instructions?: string }
  listedAt?: number
  tools: readonly ServerTool[]
  /** At least this many tools exceed the import limit. */
  beyond?: number
  /** Open processes or connections. */
  connections: number
  restarts: number
  /** The end of a stdio server's error output, without secrets. */
  errorOutput?: string
}
