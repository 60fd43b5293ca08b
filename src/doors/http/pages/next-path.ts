/**
 * Addresses that people must not be sent to: those for programs, and the sign-in and sign-out
 * pages.
 */
const notPlaces =
  /^\/(?:api|mcp|assets|oauth|\.well-known|metrics|healthz|readyz|openapi\.json|sign-in|sign-out|invitation)(?:\/|$)/

const longest = 2000
/** Any origin does: what is asked is whether the text leaves it. */
const here = 'http://here.invalid'

/**
 * Where somebody wanted to go before they had to sign in: a path of this very server, or nothing. A
 * link may hold any text, so whatever could lead elsewhere (`//evil.example`, `/\evil.example`, a
 * scheme, control characters that browsers drop) counts as nothing.
 */
export function toNextPath(given: string | null | undefined): string | undefined {
  if (typeof given !== 'string' || given.length > longest || !/^\/(?![/\\])/.test(given)) return
  if (/[\p{Cc}\\]/u.test(given) || !URL.canParse(given, here)) return
  const { origin, pathname, search, hash } = new URL(given, here)
  if (origin !== here || pathname.startsWith('//') || notPlaces.test(pathname)) return
  return pathname + search + hash
}

/** An address of ours with the place to go to afterwards. */
export function withNext(path: string, next: string | undefined): string {
  if (next === undefined || next === '/') return path
  return `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
}
