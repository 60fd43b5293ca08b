import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'

/** How a server over HTTP is reached. */
export interface HttpOptions {
  url: string
  headers: Readonly<Record<string, string>>
  auth: AuthProvider | OAuthClientProvider | undefined
  dispatcher: Dispatcher
  /** Longest message that is read. */
  maxBytes: number
}

const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** No connection was made, so nothing can have been done. */
export function isBeforeSending(error: unknown): boolean {
  return beforeSending.has((error as { code?: string } | undefined)?.code ?? '')
}
