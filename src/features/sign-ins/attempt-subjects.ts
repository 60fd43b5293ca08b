import { networkOf as networkOfAddress } from '../../core/net/network-of.ts'
import type { Visitor } from '../../core/sign-in/sign-in.ts'

/** The subject whose attempts are counted: one address in one tenant. */
export function accountOf(tenant: string, email: string): string {
  return `account:${tenant.slice(0, 100)}:${email}`
}

/** The network that a request comes from. Undefined if the door does not know it. */
export function networkOf({ address }: Visitor): string | undefined {
  return address === undefined ? undefined : `from:${networkOfAddress(address)}`
}
