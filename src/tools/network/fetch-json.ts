import type { Web, WebRequest } from '../../core/kernel/context/web.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { reach } from './reach.ts'
import { shorten, toUpstreamError } from '../../core/net/upstream-error.ts'

export interface JsonRequest extends WebRequest {
  /** The name of the API, for messages: its address may hold a key. */
  from: string
  /** How to fix a refusal by 401 or 403. */
  credentialFix: string
  url: URL
  /** Throws for an answer that has a meaning of its own; others of 400 or more fail as usual. */
  refuse?(answer: { status: number; headers: Headers; value: unknown }): void
}

export interface JsonAnswer {
  status: number
  headers: Headers
  value: unknown
}

/** Asks an API that speaks JSON. Messages never contain the address, since keys may be in it. */
export async function fetchJson(web: Web, request: JsonRequest): Promise<JsonAnswer> {
  const { from, credentialFix, url, refuse, ...options } = request
  const send = async () => {
    const answer = await web.fetch(url, options)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const { status, headers, text } = await reach(send, { from, signal: options.signal })
  const value = parse(text)
  refuse?.({ status, headers, value })
  if (status >= 400) {
    const excerpt = value === undefined ? withoutTags(text) : messageOf(value)
    throw toUpstreamError({ from, status, headers, excerpt, credentialFix })
  }
  if (value !== undefined || text === '') return { status, headers, value }
  const isPage = /^\s*</.test(text)
  const found = isPage ? 'a web page' : 'text that is not JSON'
  throw new ToolError('upstream_failed', `${from} answered with ${found}`, {
    retryable: false,
    fix: `Check the configured address of ${from}, and whether a proxy or a sign-in page is in front of it.`,
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Where the APIs that tools ask put their message. */
function messageOf(value: unknown): string {
  const { error, message, detail } = Object(value) as Record<string, unknown>
  for (const said of [message, error, detail]) {
    if (typeof said === 'string') return said
    const inner = (Object(said) as { message?: unknown; error?: unknown }).message
    if (typeof inner === 'string') return inner
    const deeper = (Object(said) as { error?: unknown }).error
    if (typeof deeper === 'string') return deeper
  }
  return ''
}

function withoutTags(text: string): string {
  return shorten(text.slice(0, 2000).replaceAll(/<[^>]{0,500}>/g, ' '))
}
