import { ToolError } from '../../core/kernel/errors.ts'
import { isStream } from './to-sending.ts'

/** Headers that are sent to another origin: none that identify the caller. */
const harmlessHeaders = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'mcp-protocol-version',
])

/** The address that a response redirects to. */
export function redirectOf(
  { status, headers }: { status: number; headers: { get(name: string): string | null } },
  from: URL,
): URL | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined
}

export interface Hop {
  from: URL
  to: URL
  status: number
}

/** Throws where a redirect would carry a request, or what is in it, to somebody else. */
export function toNextRequest(hop: Hop, request: RequestInit): RequestInit {
  const { from, to } = hop
  const method = (request.method ?? 'GET').toUpperCase()
  const losesBody = becomesGet(hop.status, method)
  const keepsBody = !losesBody && !isPlain(method)
  const isSame = from.origin === to.origin
  const isDowngrade = from.protocol === 'https:' && to.protocol !== 'https:'
  const isLost = keepsBody && (!isSame || isStream(request.body))
  if (isDowngrade || isLost) throw badRedirect(from)
  const headers = [...new Headers(request.headers)].filter(
    ([name]) =>
      (isSame || harmlessHeaders.has(name)) && !(losesBody && name.startsWith('content-')),
  )
  return losesBody ? { ...request, headers, method: 'GET', body: null } : { ...request, headers }
}

/** As the fetch standard has it. */
function becomesGet(status: number, method: string): boolean {
  if (isPlain(method)) return false
  return status === 303 || (method === 'POST' && (status === 301 || status === 302))
}

function isPlain(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function badRedirect(from: URL): ToolError {
  return new ToolError('upstream_failed', `${from.host} sends its callers elsewhere`, {
    fix: 'Give the address it leads to, if you trust that.',
    retryable: false,
  })
}
