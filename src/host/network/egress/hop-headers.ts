/** Headers that concern one connection only, and that no proxy passes on (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // Answered here; the next server gets the body in any case.
  'expect',
  // Follows from the address.
  'host',
])

/** Names and values in turn, as they were sent, without those of one connection. */
export function passedOn(rawHeaders: readonly string[]): string[] {
  const named = namedByConnection(rawHeaders)
  const passed: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const key = name.toLowerCase()
    if (!hopByHop.has(key) && !named.has(key)) passed.push(name, value)
  }
  return passed
}

/** `Connection: x-secret` makes a header one of the connection. */
function namedByConnection(rawHeaders: readonly string[]): Set<string> {
  const named = new Set<string>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'connection') continue
    for (const name of (rawHeaders[at + 1] ?? '').split(',')) named.add(name.trim().toLowerCase())
  }
  return named
}
