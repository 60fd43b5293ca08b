import type { RpcId, RpcMessage } from './messages.ts'

export interface SendOptions {
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal
  /** Further headers, where there are headers. */
  headers?: Readonly<Record<string, string>>
  /** An answer over this is cut off. */
  maxBytes?: number
  /** The stream of this request has ended, with or without an answer; `fault` where we ended it. */
  onStreamEnd?(fault?: unknown): void
}

/** How a conversation ended, where the server is there all the same. */
export interface TransportEnd {
  /** The server does not know the session any more; a new one can be begun at once. */
  isForgotten: true
  /** The request that was refused for it, and so not carried out. */
  unsent: RpcMessage['id']
}

/** A connection to one server. Its owner sets the two listeners before sending anything. */
export interface RpcTransport {
  /** Receives every message with its size in bytes, and the request on whose own stream it came. */
  onMessage: (message: RpcMessage, bytes: number, of?: RpcId) => void
  /** An answer that is too large to be kept, and whose, where that can be seen. `isWhole` when its end has come. */
  onOversize: (id: RpcMessage['id'], bytes: number, isWhole: boolean) => void
  /** Called once, when it has ended for good; not after `close`. */
  onClose: (reason: string, ending?: TransportEnd) => void
  /** Resolves when the message has left. Rejects when it could not. */
  send(message: RpcMessage, options?: SendOptions): Promise<void>
  /** A request is cancelled by closing its stream, without a message. */
  readonly cancelsByClosing: boolean
  /** Every request has a stream of its own, which ends when `SendOptions.signal` aborts. */
  readonly hasStreams: boolean
  /** The negotiated version, sent in headers from here on. */
  agree(version: string, era: 'modern' | 'legacy'): void
  /** The end of what it wrote to its error output. */
  errorOutput(): string
  /** Gone with everything it started when this resolves. */
  close(): Promise<void>
}
