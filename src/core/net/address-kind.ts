/** The network that an address is in: only `public` is outside our own. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'reserved'

/**
 * The kind of an IP address given as text. Undefined for an invalid address. IPv4 inside IPv6
 * counts as the IPv4 address, in every spelling, so that no form of 127.0.0.1 is a public address.
 */
export function addressKind(text: string): AddressKind | undefined {
  const bytes = parseAddress(text)
  if (bytes === undefined) return undefined
  return bytes.length === 4 ? kindOfV4(bytes) : kindOfV6(bytes)
}

/** The same text for every spelling of an address. IPv4 inside IPv6 is the IPv4 address. */
export function innerAddress(text: string): string | undefined {
  const bytes = parseAddress(text)
  if (bytes === undefined) return undefined
  const carrier = bytes.length === 4 ? undefined : carrierOf(bytes)
  return (carrier === undefined ? bytes : bytes.slice(carrier[2], carrier[2] + 4)).join('.')
}

/** Four or sixteen bytes; undefined for an invalid address. */
export function parseAddress(text: string): readonly number[] | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const [withoutZone = ''] = bare.split('%')
  return withoutZone.includes(':') ? parseV6(withoutZone) : parseV4(withoutZone)
}

type Range = readonly [prefix: readonly number[], bits: number, kind: AddressKind]

const rangesV4: readonly Range[] = [
  [[0], 8, 'reserved'],
  [[10], 8, 'private'],
  [[100, 64], 10, 'private'],
  [[127], 8, 'loopback'],
  // Clouds serve the credentials of their machines here.
  [[169, 254], 16, 'link-local'],
  [[168, 63, 129, 16], 32, 'link-local'],
  [[172, 16], 12, 'private'],
  [[192, 0, 0], 24, 'reserved'],
  [[192, 0, 2], 24, 'reserved'],
  [[192, 88, 99], 24, 'reserved'],
  [[192, 168], 16, 'private'],
  [[198, 18], 15, 'private'],
  [[198, 51, 100], 24, 'reserved'],
  [[203, 0, 113], 24, 'reserved'],
  [[224], 4, 'reserved'],
  [[240], 4, 'reserved'],
]

const rangesV6: readonly Range[] = [
  [[0xfe, 0x80], 10, 'link-local'],
  [[0xfc], 7, 'private'],
  // Tunnels and identifiers: their targets are not visible here.
  [[0x20, 0x01, 0x00], 23, 'reserved'],
  [[0x20, 0x01, 0x0d, 0xb8], 32, 'reserved'],
  [[0x3f, 0xff, 0x00], 20, 'reserved'],
]

const loopbackV6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
/** Prefixes that are followed by an IPv4 address, and its offset. */
const carriersV6: readonly (readonly [prefix: readonly number[], bits: number, at: number])[] = [
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96, 12],
  [[0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12],
  [[0x20, 0x02], 16, 2],
]

function kindOfV4(bytes: readonly number[]): AddressKind {
  return rangesV4.find(([prefix, bits]) => isWithin(bytes, prefix, bits))?.[2] ?? 'public'
}

function kindOfV6(bytes: readonly number[]): AddressKind {
  if (isWithin(bytes, loopbackV6, 128)) return 'loopback'
  const carrier = carrierOf(bytes)
  if (carrier !== undefined) return kindOfV4(bytes.slice(carrier[2], carrier[2] + 4))
  const range = rangesV6.find(([prefix, bits]) => isWithin(bytes, prefix, bits))
  if (range !== undefined) return range[2]
  // All assigned addresses are in this range; the old ::127.0.0.1 is not.
  return isWithin(bytes, [0x20], 3) ? 'public' : 'reserved'
}

function carrierOf(bytes: readonly number[]): (typeof carriersV6)[number] | undefined {
  return carriersV6.find(([prefix, bits]) => isWithin(bytes, prefix, bits))
}

/** True if the first bits of both are equal. */
export function isWithin(
  bytes: readonly number[],
  prefix: readonly number[],
  bits: number,
): boolean {
  for (let at = 0; at * 8 < bits; at++) {
    const width = Math.min(8, bits - at * 8)
    const mask = (0xff << (8 - width)) & 0xff
    if (((bytes[at] ?? -1) & mask) !== ((prefix[at] ?? 0) & mask)) return false
  }
  return true
}

function parseV4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) {
    return undefined
  }
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

function parseV6(text: string): readonly number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map(toBytes)
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 16 ? head : undefined
  if (tail === undefined || head.length + tail.length > 14) return undefined
  const gap = Array.from({ length: 16 - head.length - tail.length }, () => 0)
  return [...head, ...gap, ...tail]
}

/** The groups of one half; the last may be an IPv4 address. */
function toBytes(half: string): number[] | undefined {
  if (half === '') return []
  const groups = half.split(':')
  const bytes: number[] = []
  for (const [at, group] of groups.entries()) {
    const v4 = at === groups.length - 1 && group.includes('.') ? parseV4(group) : undefined
    if (v4 !== undefined) bytes.push(...v4)
    else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
    } else return undefined
  }
  return bytes
}
