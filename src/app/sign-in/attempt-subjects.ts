import type { Visitor } from '../../core/sign-in/session.ts'

/** Whose tries are counted together: one address of one tenant. */
export function accountOf(tenant: string, email: string): string {
  return `account:${tenant.slice(0, 100)}:${email}`
}

/**
 * The network that a request comes from: of IPv6 the first half, since one household has all of the
 * rest. Undefined where the door does not know.
 */
export function networkOf({ address }: Visitor): string | undefined {
  if (address === undefined) return undefined
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return `from:${plain.includes(':') ? firstHalf(plain) : plain}`
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
