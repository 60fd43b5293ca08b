import { isSamePrincipal } from '../kernel/caller.ts'
import type { Caller, Principal } from '../kernel/call.ts'

/** The part of a call that identifies its requester. */
type Asked = Pick<Caller, 'tenant' | 'principal' | 'person' | 'onBehalfOf'>

/** Resolves keys to their owners. */
export interface PeopleBehind {
  /** These principals, and the people who own their keys. */
  peopleBehind(tenant: string, principals: readonly Principal[]): Promise<Principal[]>
}

/**
 * Everyone who counts as a requester of a call: the principal, the one it acts for, and the people
 * behind their keys, both at the time (a key may have changed owners) and now.
 */
export async function findAskers(
  { tenant, principal, person, onBehalfOf }: Asked,
  { peopleBehind }: PeopleBehind,
): Promise<Principal[]> {
  const known = [principal, person, onBehalfOf].filter((one) => one !== undefined)
  return peopleBehind(tenant, known)
}

export function isOneOf(people: readonly Principal[], person: Principal): boolean {
  return people.some((one) => isSamePrincipal(one, person))
}
