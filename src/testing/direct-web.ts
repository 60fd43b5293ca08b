import type { Web } from '../core/kernel/context/web.ts'
import { ToolError } from '../core/kernel/errors.ts'
import { toPage } from '../core/net/page-text.ts'

const usualBytes = 5_000_000

/** `ctx.web` for tests against servers of their own: the real network, without rules and guards. */
export const directWeb: Web = {
  async fetch(input, { timeoutMs = 30_000, maxBytes, retries: _retries, ...request } = {}) {
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline
    const answer = await fetch(input, { ...request, signal })
    if (maxBytes === undefined || answer.body === null) return answer
    const bytes = await readBytes(answer, maxBytes)
    const { status, statusText, headers } = answer
    const copy = new Response(bytes, { status, statusText, headers })
    return Object.defineProperty(copy, 'url', { value: answer.url })
  },
  async readPage(url, { maxBytes = usualBytes, ...request } = {}) {
    const answer = await directWeb.fetch(url, request)
    const bytes = await readBytes(answer, maxBytes)
    return toPage(answer, bytes)
  },
}

async function readBytes(answer: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > maxBytes) {
      throw new ToolError('quota_exceeded', `The response has more than ${maxBytes} bytes`)
    }
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
