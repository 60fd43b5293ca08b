import { ToolError } from '../../core/kernel/errors.ts'
import type { OAuthFetch } from './oauth-ports.ts'

/** How long one answer is waited for. */
export const answerMs = 10_000
const mostBytes = 1_048_576

/**
 * Metadata and tokens are small and quick, so slow answers are not awaited. With an overall
 * deadline, no request begins that could still be running then.
 */
export function boundFetch(fetch: OAuthFetch, mayBegin: () => boolean = () => true): OAuthFetch {
  return async (url, init = {}) => {
    if (!mayBegin()) throw tooSlow()
    const deadline = AbortSignal.timeout(answerMs)
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    const response = await fetch(url, { ...init, signal })
    const body = await readBody(response)
    const { status, statusText, headers } = response
    const isEmpty = status === 204 || status === 205 || status === 304
    const bounded = new Response(isEmpty ? null : body, { status, statusText, headers })
    // It is decoded by now.
    bounded.headers.delete('content-encoding')
    bounded.headers.delete('content-length')
    return bounded
  }
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function tooSlow(): ToolError {
  return new ToolError('upstream_failed', 'Answers about signing in take too long')
}

function tooLarge(): ToolError {
  return new ToolError('upstream_failed', 'An answer about signing in has over a megabyte', {
    retryable: false,
  })
}
