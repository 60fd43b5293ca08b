/**
 * Builds the check of the Origin header for doors that pages on the web must not use by themselves:
 * a request that names no origin comes from no page; one that does must name ours, or an allowed one.
 */
export function createOriginCheck(
  allowed: readonly string[],
): (origin: string | undefined, host: string | undefined) => boolean {
  const known = new Set(allowed.flatMap((one) => (URL.canParse(one) ? [new URL(one).origin] : [])))
  return function isAllowed(origin, host) {
    if (origin === undefined) return true
    // `null` is what sandboxed pages and files say, and belongs to nobody.
    if (!URL.canParse(origin)) return false
    const url = new URL(origin)
    return known.has(url.origin) || (host !== undefined && url.host === host.toLowerCase())
  }
}
