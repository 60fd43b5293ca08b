import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { Member } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { Store } from '../../core/ports.ts'
import { isOwner } from './member-access.ts'
import {
  assertNoMore,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'

/**
 * Whoever lets somebody in as a member could use what that member may do. So nobody opens the door
 * to more than they hold, nor closes it on who holds more; with owners, only owners do either.
 */
export async function assertMayAdmit(
  { store, roles }: { store: Pick<Store, 'members'>; roles: RoleBook },
  caller: Caller,
  admitted: Pick<Member, 'role' | 'permissions'>,
): Promise<void> {
  requirePermission(caller, 'members.manage')
  requireUnbound(caller)
  assertNoMore(caller, roles.permissionsOf(admitted))
  if (admitted.role !== 'owner' || (await isOwner(caller, store))) return
  throw new ToolError('forbidden', 'Only an owner lets owners in, or signs them out', {
    fix: 'Ask an owner of this tenant. An API key is never one.',
  })
}
