import { networkOf as networkOfAddress } from '../../core/net/network-of.ts'
import type { Visitor } from '../../core/sign-in/sign-in.ts'

/** Whose tries are counted together: one address of one tenant. */
export function accountOf(tenant: string, email: string): string {
  return `account:${tenant.slice(0, 100)}:${email}`
}

/** The network that a request comes from. Undefined where the door does not know. */
export function networkOf({ address }: Visitor): string | undefined {
  return address === undefined ? undefined : `from:${networkOfAddress(address)}`
}
