/**
 * The network of an address: for IPv6 the first half, because one household has the rest; for IPv4
 * the address itself, in any spelling.
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
