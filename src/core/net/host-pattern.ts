/** A host that a rule names: `example.com`, `*.example.com`, `*`, each also with `:port`. */
export interface HostPattern {
  readonly text: string
  matches(host: string, port: number): boolean
}

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Parses a pattern as people write it. Undefined for anything that would not match what it seems to:
 * addresses with a scheme or a path, networks, and stars inside of a name.
 */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, name = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = portText === undefined ? undefined : Number(portText)
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined
  const matchesName = toNameTest(name)
  if (matchesName === undefined) return undefined
  return {
    text,
    matches: (host, asked) =>
      (port === undefined || port === asked) && matchesName(plainHost(host)),
  }
}

/** The one spelling of a host that is compared: lower case, without brackets and a last dot. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

function toNameTest(name: string): ((host: string) => boolean) | undefined {
  if (name === '*') return () => true
  const isBelow = name.startsWith('*.')
  const plain = toPlainName(isBelow ? name.slice(2) : name)
  if (plain === undefined) return undefined
  if (!isBelow) return (host) => host === plain
  const suffix = `.${plain}`
  // Below an address there is nothing.
  return isAddress(plain)
    ? undefined
    : (host) => host.endsWith(suffix) && host.length > suffix.length
}

/** As a URL has it: international names in ASCII, every spelling of an address as one. */
function toPlainName(name: string): string | undefined {
  if (/[\s/@?#\\%*]/.test(name) || !URL.canParse(`http://${name}/`)) return undefined
  const host = plainHost(new URL(`http://${name}/`).hostname)
  if (isAddress(host)) return host
  return host.length <= 253 && host.split('.').every((part) => label.test(part)) ? host : undefined
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}
