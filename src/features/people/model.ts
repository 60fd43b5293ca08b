import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import {
  assertNoMore,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'
import { isActiveOwner } from '../../core/people/member-rules.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { Member, MemberStore } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'

/** The data that decides who may admit members. */
export interface AdmissionParts {
  members: Pick<MemberStore, 'find'>
  roles: RoleBook
}

/**
 * An owner of the tenant, or an operator who acts in it. Keys are never owners: an admin, who has
 * the same permissions, could create one. The person who runs the process is an owner in every
 * tenant, even if the first owner was changed as a member: they come without a sign-in.
 */
export async function isOwner(
  caller: Caller,
  members: AdmissionParts['members'],
): Promise<boolean> {
  const { principal, tenant, home, signInId } = caller
  if (home !== undefined) return true
  if (principal.kind !== 'user') return false
  if (principal.id === firstOwnerId && signInId === undefined) return true
  const member = await members.find(tenant, principal.id)
  return member !== undefined && isActiveOwner(member)
}

/**
 * A member who admits another could use that member's permissions. So nobody admits, or signs out,
 * a member with more permissions than they have, and only owners do so with owners.
 */
export async function assertMayAdmit(
  { members, roles }: AdmissionParts,
  caller: Caller,
  admitted: Pick<Member, 'role' | 'permissions'>,
): Promise<void> {
  requirePermission(caller, 'members.manage')
  requireUnbound(caller)
  assertNoMore(caller, roles.permissionsOf(admitted))
  if (admitted.role !== 'owner' || (await isOwner(caller, members))) return
  throw new ToolError('forbidden', 'Only an owner can admit owners or sign them out', {
    fix: 'Ask an owner of this tenant. API keys are never owners.',
  })
}

/** Missing members and those of other tenants get the same answer. */
export function memberNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no member ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib members lists them.',
  })
}
