/**
 * The network that an address belongs to: of IPv6 the first half, since one household has all of the
 * rest; of IPv4 the address itself, however it is written.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain.includes(':') ? firstHalf(plain) : plain
}

function firstHalf(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    const missing = Math.max(0, 8 - groups.length - after.length)
    groups.push(...Array<string>(missing).fill('0'), ...after)
  }
  const half = groups.slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
  return half.join(':')
}
