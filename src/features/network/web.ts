import type { Web, WebRequest } from '../../core/kernel/context/web.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { toPage } from '../../core/net/page-text.ts'
import { toToolHeaders } from '../../core/net/request-headers.ts'
import { retrying } from './retry.ts'

export interface WebOptions {
  /** The guarded fetch of this tool. */
  fetch: Web['fetch']
  /** Of the call. */
  signal: AbortSignal
}

const usual = { timeoutMs: 30_000, maxBytes: 5_242_880 }
const most = { timeoutMs: 600_000, maxBytes: 268_435_456, retries: 5 }
const withoutEffect = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `ctx.web`: the guarded fetch with the limits and words that tools have. */
export function createWeb({ fetch, signal: ofCall }: WebOptions): Web {
  async function send(
    input: string | URL | Request,
    request: WebRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    const { retries: _retries, ...init } = request
    const given = init.headers ?? (input instanceof Request ? input.headers : undefined)
    try {
      return await fetch(input, { ...init, headers: toToolHeaders(given), signal })
    } catch (error) {
      throw toWebError(error, { input, signal })
    }
  }
  function prepare(input: string | URL | Request, request: WebRequest) {
    const own = request.signal ?? (input instanceof Request ? input.signal : undefined)
    const signal = own ? AbortSignal.any([ofCall, own]) : ofCall
    const limits = toLimits(request)
    const method = request.method ?? (input instanceof Request ? input.method : 'GET')
    const mayRepeat = withoutEffect.has(method.toUpperCase())
    return { signal, limits: { ...limits, retries: mayRepeat ? limits.retries : 0 } }
  }
  return {
    fetch(input, request = {}) {
      const { signal, limits } = prepare(input, request)
      return retrying({ ...limits, signal }, async (timeoutMs) => {
        const response = await send(input, { ...request, ...limits, timeoutMs }, signal)
        return { value: response, response }
      })
    },
    readPage(url, request = {}) {
      const { signal, limits } = prepare(url, request)
      return retrying({ ...limits, signal }, async (timeoutMs) => {
        const response = await send(url, { ...request, ...limits, timeoutMs }, signal)
        try {
          const bytes = new Uint8Array(await response.arrayBuffer())
          return { value: toPage(response, bytes), response }
        } catch (error) {
          throw toWebError(error, { input: url, signal })
        }
      })
    },
  }
}

function toLimits({ timeoutMs, maxBytes, retries = 0 }: WebRequest) {
  return {
    timeoutMs: Math.min(timeoutMs ?? usual.timeoutMs, most.timeoutMs),
    maxBytes: Math.min(maxBytes ?? usual.maxBytes, most.maxBytes),
    retries: Math.min(retries, most.retries),
  }
}

interface Failed {
  input: string | URL | Request
  signal: AbortSignal
}

/** Every failure gets a code; the end of the call is reported as it is. */
function toWebError(error: unknown, { input, signal }: Failed): unknown {
  if (isToolError(error) || signal.aborted) return error
  const address = input instanceof Request ? input.url : String(input)
  if (!URL.canParse(address)) {
    return new ToolError(
      'invalid_request',
      `${JSON.stringify(address.slice(0, 200))} is not a URL`,
      {
        fix: 'Give a full address, such as https://example.com/page.',
      },
    )
  }
  const { host } = new URL(address)
  const { message, code } = rootOf(error)
  return new ToolError('upstream_failed', `${host} could not be reached: ${message}`, {
    cause: error,
    details: { isReset: code !== undefined && resets.has(code) },
  })
}

const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNREFUSED'])

function rootOf(error: unknown): { message: string; code: string | undefined } {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  const { message = String(root), code } = (root ?? {}) as { message?: string; code?: string }
  return { message: message || (code ?? 'no reason given'), code }
}
