import type { Caller } from '../../../core/call.ts'
import { createExpiringTokens } from './expiring-tokens.ts'

/** Who is signed in on which browser. In memory: a restart signs everybody out. */
export interface Sessions {
  /** Starts a session and answers the Set-Cookie value for it. */
  start(caller: Caller, url: string): string
  find(cookieHeader: string | undefined, url: string): Caller | undefined
  /** Ends the session, if there is one, and answers the Set-Cookie value that removes it. */
  end(cookieHeader: string | undefined, url: string): string
}

const dayMs = 24 * 60 * 60 * 1000

/** Opens an empty set of sessions. */
export function createSessions(
  options: { lifetimeMs?: number; now?: () => number } = {},
): Sessions {
  const lifetimeMs = options.lifetimeMs ?? 7 * dayMs
  const tokens = createExpiringTokens<Caller>({ lifetimeMs, maxCount: 1000, now: options.now })
  return {
    start(caller, url) {
      return toCookie(url, tokens.issue({ ...caller, runtime: 'web' }), lifetimeMs / 1000)
    },
    find(cookieHeader, url) {
      const token = readCookie(cookieHeader, cookieName(url))
      return token === undefined ? undefined : tokens.find(token)
    },
    end(cookieHeader, url) {
      const token = readCookie(cookieHeader, cookieName(url))
      if (token !== undefined) tokens.take(token)
      return toCookie(url, '', 0)
    },
  }
}

function toCookie(url: string, value: string, maxAgeSeconds: number): string {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  const age = Math.floor(maxAgeSeconds)
  return `${cookieName(url)}=${value}; Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Cookies ignore the port, so it is part of the name: two cribs on one machine stay apart. */
function cookieName(url: string): string {
  const { port, protocol } = new URL(url)
  return `${protocol === 'https:' ? '__Host-' : ''}toolcrib${port === '' ? '' : `_${port}`}`
}

function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
