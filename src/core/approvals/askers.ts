import { isSamePrincipal } from '../kernel/caller.ts'
import type { Caller, Principal } from '../kernel/call.ts'
import type { PipelinePorts } from '../pipeline/ports.ts'

/** A call as far as it says who wants it. */
type Asked = Pick<Caller, 'tenant' | 'principal' | 'person' | 'onBehalfOf'>

/**
 * Everybody who counts as having asked for a call: the principal, whoever it acts for, and the people
 * behind their keys, then (a key may have changed hands) and now.
 */
export async function findAskers(
  { tenant, principal, person, onBehalfOf }: Asked,
  { peopleBehind }: Pick<PipelinePorts, 'peopleBehind'>,
): Promise<Principal[]> {
  const known = [principal, person, onBehalfOf].filter((one) => one !== undefined)
  return peopleBehind(tenant, known)
}

export function isOneOf(people: readonly Principal[], person: Principal): boolean {
  return people.some((one) => isSamePrincipal(one, person))
}
