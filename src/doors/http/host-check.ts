import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** Is this an address that only this machine reaches? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

export interface HostCheckOptions {
  /** The address that is listened on. */
  listensAt: string
  /** Names that the configuration gives. Where it gives some, these are all there are. */
  allowed?: readonly string[]
  /** The names of this machine. */
  machine?: string
}

/**
 * Under which names a server is reached. A page on the web can point its own name at this server and
 * is then of one origin with it (DNS rebinding); the Host header gives the name away.
 */
export interface HostCheck {
  /** Is this Host header one that no foreign page could have? */
  isOwn(host: string | undefined): boolean
  /** May this request come in under its name? */
  admits(request: Pick<IncomingMessage, 'headers' | 'url'>): boolean
  /** The server is reachable from other machines, and no public name is configured. */
  readonly isNameless: boolean
}

/** Callers of these use any name for us, and learn nothing from them. */
const healthPaths: ReadonlySet<unknown> = new Set(['/healthz', '/readyz'])
const mostRemembered = 100

/** Builds the check. Headers that passed are remembered, so that it costs a call next to nothing. */
export function createHostCheck(options: HostCheckOptions): HostCheck {
  const { listensAt, allowed = [], machine = hostname() } = options
  const isLocal = isLoopback(listensAt)
  const isNameless = !isLocal && allowed.length === 0
  const names = new Set(
    [listensAt, ...allowed, ...(isNameless ? [machine] : [])].map((name) => name.toLowerCase()),
  )
  const passed = new Set<string>()
  function isKnown(host: string): boolean {
    const name = host.replace(/:\d+$/, '').toLowerCase()
    const bare = name.replace(/^\[(.*)\]$/, '$1')
    if (isLoopback(bare) || names.has(name) || names.has(host.toLowerCase())) return true
    // An IP address needs no DNS, so a page with it in its own address came from there.
    return !isLocal && isIP(bare) !== 0
  }
  function isOwn(host: string | undefined): boolean {
    if (host === undefined) return false
    if (passed.has(host)) return true
    if (!isKnown(host)) return false
    if (passed.size < mostRemembered) passed.add(host)
    return true
  }
  return {
    isOwn,
    isNameless,
    admits({ headers: { host, origin }, url }) {
      if (isOwn(host)) return true
      if (isLocal || origin !== undefined) return false
      // Browsers always name a host; some checks of proxies do not.
      return isNameless || host === undefined || healthPaths.has(url)
    },
  }
}
