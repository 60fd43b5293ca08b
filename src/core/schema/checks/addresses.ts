/** Addresses of hosts, mailboxes and resources. Nothing here takes more than linear time. */

const label = /^[a-z\d](?:[a-z\d-]*)$/i
const decimal = /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/
const hexGroup = /^[\da-f]{1,4}$/i

function isLabel(text: string): boolean {
  return label.test(text) && !text.endsWith('-')
}

export function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  if (name.length > 253) return false
  return name.split('.').every((part) => part.length <= 63 && isLabel(part))
}

const atom = /^[\w!#$%&'*+/=?^`{|}~-]+$/

/** A mailbox at a domain of two labels or more. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const labels = text.slice(at + 1).split('.')
  if (at < 1 || labels.length < 2 || !labels.every(isLabel)) return false
  return text
    .slice(0, at)
    .split('.')
    .every((part) => atom.test(part))
}

export function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => decimal.test(part))
}

/** `::` takes the place of one group or more; an IPv4 address at the end is two groups. */
export function isIpv6(text: string): boolean {
  const [before = '', after, ...more] = text.split('::')
  if (more.length > 0) return false
  const count = countGroups(before, after === undefined) + countGroups(after ?? '', true)
  return after === undefined ? count === 8 : count < 8
}

/** Infinite where one of them is not a group. */
function countGroups(text: string, mayEndInIpv4: boolean): number {
  if (text === '') return 0
  const groups = text.split(':')
  const last = groups.at(-1) ?? ''
  const isMixed = mayEndInIpv4 && isIpv4(last)
  const plain = isMixed ? groups.slice(0, -1) : groups
  if (!plain.every((group) => hexGroup.test(group))) return Infinity
  return plain.length + (isMixed ? 2 : 0)
}

const scheme = /^[a-z][a-z\d+.-]*:/i
const userInfo = /^(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*$/i
const hostName = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*$/i
const path = /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*$/i
const query = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*$/i
const laterAddress = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i

/** An absolute URI of RFC 3986: a scheme, and something it leads to. */
export function isUri(text: string): boolean {
  const found = scheme.exec(text)?.[0]
  if (found === undefined) return false
  const rest = text.slice(found.length)
  return !/^(?:[?#]|$)/.test(rest) && isReference(rest)
}

/** A URI, or what is relative to one. */
export function isUriReference(text: string): boolean {
  return isReference(text.replace(scheme, ''))
}

function isReference(text: string): boolean {
  const [beforeFragment = '', fragment = ''] = cutAt(text, '#')
  const [hierarchy = '', asked = ''] = cutAt(beforeFragment, '?')
  return isHierarchy(hierarchy) && query.test(asked) && query.test(fragment)
}

function isHierarchy(text: string): boolean {
  if (!text.startsWith('//')) return path.test(text)
  const end = text.indexOf('/', 2)
  const authority = end === -1 ? text.slice(2) : text.slice(2, end)
  return isAuthority(authority) && (end === -1 || path.test(text.slice(end)))
}

function isAuthority(text: string): boolean {
  const at = text.indexOf('@')
  if (at !== -1 && !userInfo.test(text.slice(0, at))) return false
  const [, bracketed, name = '[', port = ''] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(text.slice(at + 1)) ?? []
  if (!/^\d*$/.test(port)) return false
  if (bracketed !== undefined) return isIpv6(bracketed) || laterAddress.test(bracketed)
  return hostName.test(name)
}

/** The text before and after the first occurrence of this character. */
function cutAt(text: string, mark: string): string[] {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
