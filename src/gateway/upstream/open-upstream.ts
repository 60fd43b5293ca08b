import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import type { ClientAbility, ClientLogLevel } from '../../core/kernel/context/caller-client.ts'
import type { EraVerdict } from '../../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { openStdio } from '../stdio/open-stdio.ts'
import type { RpcTransport } from '../wire/rpc-transport.ts'
import { createPeer } from '../wire/create-peer.ts'
import type { Peer, PeerListeners, PeerRequestOptions } from '../wire/peer.ts'
import { toEnvelope } from '../wire/envelope.ts'
import { isLost, type JsonRecord } from '../wire/messages.ts'
import { type Introduction, negotiate } from '../wire/negotiate.ts'

/** The caller that a request is made for. */
export interface UpstreamRequest extends PeerRequestOptions {
  abilities?: ReadonlySet<ClientAbility>
  logLevel?: ClientLogLevel
}

/** An open conversation with a server, in whichever protocol it speaks. */
export interface Upstream extends Introduction {
  readonly peer: Peer
  request(method: string, params: JsonRecord, options?: UpstreamRequest): Promise<JsonRecord>
  errorOutput(): string
  close(reason?: string): Promise<void>
}

export interface UpstreamOptions {
  spec: McpServerSpec
  /** Looked up: all of the environment, all headers. */
  env: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  auth: AuthProvider | OAuthClientProvider | undefined
  dispatcher(): Dispatcher
  known: EraVerdict | undefined
  listeners: PeerListeners
  /** Receives the output of a program that did not speak the protocol. */
  onErrors(errorOutput: string): void
  /** Aborted, with the reason, when nobody wants the connection any more. */
  signal: AbortSignal
  now(): number
}

/** A list of tools may be larger than a result. */
const listBytes = 16_777_216
const overheadBytes = 65_536
/** Servers that are fetched with their first start take their time. */
const connectMs = 60_000

/** Starts or reaches a server and agrees with it on a protocol. Leaves nothing behind when it fails. */
export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  try {
    return await connect(options, options.known)
  } catch (error) {
    // It may have ended because it was asked for a protocol it does not know.
    const isOver = options.spec.command === undefined || options.signal.aborted
    if (isOver || options.known !== undefined || !isLost(error)) throw error
    return connect(options, { era: 'legacy', version: '', checkedAt: 0 }).catch(() =>
      Promise.reject(error),
    )
  }
}

async function connect(options: UpstreamOptions, known: EraVerdict | undefined): Promise<Upstream> {
  const transport = await openTransport(options)
  const { listeners } = options
  let isUp = false
  const peer = createPeer(transport, {
    ...listeners,
    onClose: (reason, ending) => isUp && listeners.onClose(reason, ending),
    onUnreachable: (reason) => isUp && listeners.onUnreachable(reason),
  })
  const stop = () => void peer.close((options.signal.reason as Error).message)
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const introduction = await negotiate({
      peer,
      transport,
      known,
      timeoutMs: connectMs,
      now: options.now,
    })
    isUp = true
    return toUpstream(peer, transport, introduction)
  } catch (error) {
    options.onErrors(transport.errorOutput())
    await peer.close()
    throw error
  } finally {
    options.signal.removeEventListener('abort', stop)
  }
}

function toUpstream(peer: Peer, transport: RpcTransport, introduction: Introduction): Upstream {
  const isModern = introduction.verdict.era === 'modern'
  return {
    ...introduction,
    peer,
    errorOutput: () => transport.errorOutput(),
    close: (reason) => peer.close(reason),
    request(method, params, options = {}) {
      if (!isModern) return peer.request(method, params, options)
      const meta = toEnvelope(options.abilities, options.logLevel)
      return peer.request(method, params, { ...options, meta })
    },
  }
}

async function openTransport(options: UpstreamOptions): Promise<RpcTransport> {
  const { spec, env, headers, auth } = options
  const maxBytes = Math.max(spec.maxResultBytes, listBytes) + overheadBytes
  const { command, args, cwd, url = '' } = spec
  if (command === undefined) {
    // Loaded with the first server over HTTP: stdio needs nothing of it.
    const { openHttp } = await import('../http/open-http.ts')
    return openHttp({ url, headers, auth, dispatcher: options.dispatcher(), maxBytes })
  }
  return openStdio({ command, args, env, maxBytes, ...(cwd !== undefined && { cwd }) })
}
