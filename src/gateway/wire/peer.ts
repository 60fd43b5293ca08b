import type { Progress } from '../../core/kernel/call.ts'
import type { ClientLogLevel } from '../../core/kernel/context/caller-client.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { TransportEnd, SendOptions } from './rpc-transport.ts'
import type { JsonRecord } from './messages.ts'

export interface LogLine {
  level: ClientLogLevel
  logger?: string
  data: JsonValue
}

/** Notifications about a request besides its answer. */
export interface PeerRequestOptions extends Pick<SendOptions, 'headers' | 'maxBytes'> {
  signal?: AbortSignal
  /** Goes with the request's own `_meta`, and before it. */
  meta?: JsonRecord
  /** Without one it may take for ever. */
  timeoutMs?: number
  onProgress?(progress: Progress): void
  onLog?(line: LogLine): void
  /** The call it belongs to; questions of the server during the request are put to that call. */
  frame?: object
}

/** One end of a conversation in JSON-RPC. */
export interface Peer {
  /**
   * Rejects with upstream_failed (`rpcFaultOf` separates an answer from a lost connection), timeout
   * or the signal's reason.
   */
  request(method: string, params: JsonRecord, options?: PeerRequestOptions): Promise<JsonRecord>
  notify(method: string, params: JsonRecord): Promise<void>
  /**
   * Work for this frame continues although none of its requests waits, until it is done or given
   * up.
   */
  hold(frame: object): (end: 'done' | 'given up') => void
  /** Requests were given up and never answered: the server may still be at work on them. */
  readonly hasStrays: boolean
  /** Whether new work may begin. Running work may continue even if not. */
  readonly isOpen: boolean
  close(reason?: string): Promise<void>
}

/** The call of a message that names no request. */
export interface Askers {
  frames: readonly object[]
  /** Or of a caller who has left. */
  hasStrays: boolean
  /** It came on a stream of one request. */
  isKnown: boolean
}

export interface PeerListeners {
  onNotification(method: string, params: JsonRecord): void
  /** A question of the server: its answer, or a rejection with the error to send. */
  onRequest(method: string, params: JsonRecord, askers: Askers): Promise<JsonRecord>
  /** Called once, when the connection has ended by itself. */
  onClose(reason: string, ending?: TransportEnd): void
  /** Called once, when nobody takes requests any more. Running ones may still be answered. */
  onUnreachable(reason: string): void
}
