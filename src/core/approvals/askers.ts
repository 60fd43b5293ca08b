import { isSamePrincipal } from '../kernel/caller.ts'
import type { Caller, Principal } from '../kernel/call.ts'

/** A call as far as it says who wants it. */
type Asked = Pick<Caller, 'tenant' | 'principal' | 'person' | 'onBehalfOf'>

/** Who stands behind keys. */
export interface PeopleBehind {
  /** These principals, and the people their keys belong to. */
  peopleBehind(tenant: string, principals: readonly Principal[]): Promise<Principal[]>
}

/**
 * Everybody who counts as having asked for a call: the principal, whoever it acts for, and the people
 * behind their keys, then (a key may have changed hands) and now.
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
