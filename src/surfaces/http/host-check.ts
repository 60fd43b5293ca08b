/** Is this an address that only this machine reaches? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/**
 * Builds the check of the Host header for a server on loopback. A page on the web can point its own
 * name at 127.0.0.1 and then read what this server answers (DNS rebinding); the name gives it away.
 */
export function createHostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set(allowed.map((name) => name.toLowerCase()))
  return function isAllowed(host) {
    if (host === undefined) return false
    const name = host.replace(/:\d+$/, '').toLowerCase()
    return isLoopback(name) || name === '[::1]' || names.has(name) || names.has(host.toLowerCase())
  }
}
