import type { EraVerdict } from './gateway-store.ts'
import type { ServerTool } from './tool-pin.ts'

/**
 * How a server stands: `idle` is stopped and starts with the next use, `down` could not be reached
 * or does not stay up, and is tried again, `unauthorized` wants somebody to sign in, `disabled` is switched off.
 */
export type ServerState = 'connecting' | 'connected' | 'idle' | 'down' | 'unauthorized' | 'disabled'

/** A server with how it fares, for people. */
export interface ServerStatus {
  server: string
  tenant: string
  /** Of the configuration, for every tenant. */
  isForEveryone: boolean
  state: ServerState
  /** Why it is not connected, or has no list, in words without secrets. */
  reason?: string
  /** When it is tried again: milliseconds since the epoch. */
  retryAt?: number
  verdict?: EraVerdict
  about?: { name?: string; version?: string; title?: string; instructions?: string }
  listedAt?: number
  tools: readonly ServerTool[]
  /** Tools beyond those that are taken in: at least so many. */
  beyond?: number
  /** Processes or connections that are open now. */
  connections: number
  restarts: number
  /** The end of what a stdio server wrote to its error output, without secrets. */
  errorOutput?: string
}
