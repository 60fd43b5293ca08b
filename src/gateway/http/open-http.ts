import {
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { fetch as undiciFetch } from 'undici'
import { ToolError } from '../../core/errors.ts'
import type { Channel, SendOptions } from '../wire/channel.ts'
import { connectionLost, isRpcMessage, type RpcMessage } from '../wire/messages.ts'
import { boundResponse } from './bounded-body.ts'
import { createDirectPost } from './direct-post.ts'
import { type HttpOptions, isBeforeSending } from './http-options.ts'

/**
 * Talks to a server over HTTP. Sign-in, sessions and streams that are taken up again are the SDK's
 * transport; once the server is known to be modern, requests go straight out over kept connections,
 * which costs a tenth, and come back to the transport only where the server wants a sign-in.
 */
export function openHttp(options: HttpOptions): Channel {
  const { url, auth } = options
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...options.headers } },
    ...(auth !== undefined && { authProvider: auth }),
    fetch: boundedFetch(options),
  })
  let isModern = false
  let isOver = false
  let hasStarted = false
  const direct = createDirectPost(options, (message, bytes) => channel.onMessage(message, bytes))

  const channel: Channel = {
    onMessage: () => undefined,
    onOversize: () => undefined,
    onClose: () => undefined,
    get cancelsByClosing() {
      return isModern
    },
    errorOutput: () => '',
    agree(version, era) {
      isModern = era === 'modern'
      transport.setProtocolVersion(version)
    },
    async send(message, sending = {}) {
      if (isOver) throw connectionLost('the connection is closed', false)
      if (isModern && message.method !== undefined && (await direct(message, sending))) return
      await sendByTransport(message, sending)
    },
    async close() {
      if (isOver) return
      isOver = true
      const bye = transport.sessionId === undefined ? undefined : transport.terminateSession()
      await Promise.race([
        bye?.catch(() => undefined),
        new Promise((done) => setTimeout(done, 500)),
      ])
      await transport.close()
    },
  }
  transport.onmessage = (message) => {
    if (!isOver && isRpcMessage(message)) channel.onMessage(message, 0)
  }
  // What goes wrong with a request is told to whoever made it.
  transport.onerror = () => undefined

  async function sendByTransport(message: RpcMessage, sending: SendOptions): Promise<void> {
    if (!hasStarted) await transport.start()
    hasStarted = true
    const { signal, headers, onStreamEnd } = sending
    try {
      await transport.send(message as Parameters<typeof transport.send>[0], {
        ...(signal !== undefined && { requestSignal: signal }),
        ...(headers !== undefined && { headers: { ...headers } }),
        ...(onStreamEnd !== undefined && { onRequestStreamEnd: onStreamEnd }),
      })
    } catch (error) {
      // The server has forgotten the session: nothing was done, and a new one is needed.
      if (statusOf(error) === 404 && transport.sessionId !== undefined) {
        const reason = 'the server has forgotten the session'
        isOver = true
        await transport.close()
        channel.onClose(reason)
        throw connectionLost(reason, false)
      }
      throw toFailure(error)
    }
  }
  return channel
}

/** The SDK's requests: through our dispatcher, and never more than may be held. */
function boundedFetch({ dispatcher, maxBytes }: HttpOptions) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await undiciFetch(input, {
      ...(init as Parameters<typeof undiciFetch>[1]),
      dispatcher,
    })
    return boundResponse(response as unknown as Response, { maxBytes })
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof SdkHttpError ? error.status : undefined
}

/** In our words. A request that got no answer at all may still have been carried out. */
function toFailure(error: unknown): Error {
  if (error instanceof ToolError) return error
  const status = statusOf(error)
  if (error instanceof UnauthorizedError || status === 401) {
    return new ToolError('upstream_failed', 'The server asks for a sign-in', {
      retryable: false,
      details: { needsSignIn: true },
      cause: error,
    })
  }
  const said = error instanceof Error ? error.message : String(error)
  if (status !== undefined) {
    const retryable = status >= 500 || status === 429
    return new ToolError(
      'upstream_failed',
      `The server answered ${status}: ${said.slice(0, 500)}`,
      {
        retryable,
        details: { status, body: bodyOf(error) },
        cause: error,
      },
    )
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined
  const wasSent = !isBeforeSending(cause ?? error)
  return connectionLost(
    `it could not be reached: ${(cause?.message ?? said).slice(0, 500)}`,
    wasSent,
  )
}

function bodyOf(error: unknown): string {
  const text = error instanceof SdkHttpError ? error.data.text : undefined
  return typeof text === 'string' ? text.slice(0, 10_000) : ''
}
