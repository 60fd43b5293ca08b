import type { CallArtifacts } from '../../core/kernel/context/call-artifacts.ts'
import type { Web, WebRequest } from '../../core/kernel/context/web.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { reach } from '../network/reach.ts'
import { addCredential, type CredentialSources } from './add-credential.ts'
import type { RequestBody } from './request-body.ts'
import { type ReceivedResponse, readResponse } from './read-response.ts'

interface Pair {
  name: string
  value: string
}

export interface OutgoingRequest {
  method: string
  url: string
  query: readonly Pair[] | null
  headers: readonly Pair[] | null
  body?: RequestBody['body'] | undefined
  /** Set unless the caller has set it. */
  contentType?: string | undefined
  timeoutMs: number | null
  maxChars: number | null
}

export interface RequestParts extends CredentialSources {
  web: Web
  artifacts: CallArtifacts
  signal: AbortSignal
}

const usualTimeoutMs = 30_000
const usualChars = 20_000
const maxBytes = 5_000_000

/** Sends one request. A response with any status is a result. */
export async function sendRequest(
  request: OutgoingRequest,
  parts: RequestParts,
): Promise<ReceivedResponse> {
  const url = new URL(request.url)
  for (const { name, value } of request.query ?? []) url.searchParams.append(name, value)
  const headers = toHeaders(request)
  const hasCredential = addCredential(url, headers, parts)
  const { web, signal, artifacts } = parts
  const options = { ...toOptions(request, hasCredential), headers, signal }
  const maxChars = request.maxChars ?? usualChars
  const send = async () => {
    const answer = await web.fetch(url, options)
    return readResponse(answer, { url: answer.url || url.href, maxChars, artifacts })
  }
  return reach(send, { from: url.host, signal, showsReason: true })
}

function toOptions(
  { method, body, timeoutMs }: OutgoingRequest,
  hasCredential: boolean,
): WebRequest {
  return {
    method,
    ...(body !== undefined && { body }),
    // A header of another name would go along to wherever a redirect leads.
    redirect: hasCredential ? 'manual' : 'follow',
    timeoutMs: timeoutMs ?? usualTimeoutMs,
    maxBytes,
    retries: method === 'GET' || method === 'HEAD' ? 1 : 0,
  }
}

/** Headers of the connection are not a caller's, and those of proxies would say who calls. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|forwarded|via|x-forwarded-.*|x-real-ip|proxy-.*|sec-.*)$/i

function toHeaders({ headers: pairs, contentType }: OutgoingRequest): Headers {
  const headers = new Headers()
  for (const { name, value } of pairs ?? []) {
    if (ownHeaders.test(name)) throw refused(name, 'is set by the server')
    try {
      headers.append(name, value)
    } catch {
      throw refused(name, 'has a name or a value that HTTP does not allow')
    }
  }
  if (contentType !== undefined && !headers.has('content-type')) {
    headers.set('content-type', contentType)
  }
  return headers
}

function refused(name: string, reason: string): ToolError {
  const message = `The header ${name} ${reason}`
  return new ToolError('invalid_input', message, {
    issues: [{ path: '/headers', message }],
    fix: 'Leave it out.',
  })
}
