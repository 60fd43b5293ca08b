import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { Member } from '../../core/people/member.ts'
import { commonPermissions, compilePermissions } from '../../core/policy/permissions.ts'
import type { Store } from '../../core/ports.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'

interface AuthorOptions {
  store: Pick<Store, 'members'>
  roles: RoleBook
}

/**
 * What waits or is scheduled holds what its author might do when they asked for it. Gives its caller
 * with no more of that than they may do now; throws forbidden when they may call no tools any more.
 * Authors that are no members, such as keys, stay as they were; a session is as its member is.
 */
export function createAuthorNow({
  store,
  roles,
}: AuthorOptions): (caller: Caller) => Promise<Caller> {
  return async (caller) => {
    const id = authorOf(caller)
    if (id === undefined) return caller
    const member = await findAuthor(store, caller.tenant, id)
    if (member?.status !== 'active') throw gone()
    const held = roles.permissionsOf(member)
    const isVisitor = member.tenant !== caller.tenant
    if (isVisitor && !compilePermissions(held).has('tenants.manage')) throw gone()
    const permissions = commonPermissions(caller.permissions, held)
    if (!compilePermissions(permissions).has('tools.call')) throw gone()
    return { ...caller, permissions }
  }
}

/** The member who asked for this and is not here now. */
export function authorOf({ onBehalfOf, principal, signInId }: Caller): string | undefined {
  const { kind, id } = onBehalfOf ?? principal
  return signInId === undefined && kind === 'user' && id.startsWith('mem_') ? id : undefined
}

/** An operator who acted in another tenant is a member at home. */
async function findAuthor(
  { members }: AuthorOptions['store'],
  tenant: string,
  id: string,
): Promise<Member | undefined> {
  return (await members.find(tenant, id)) ?? members.find(defaultTenant, id)
}

function gone(): ToolError {
  return new ToolError('forbidden', 'Whoever asked for this may not call tools any more', {
    fix: 'Ask for it yourself. A schedule runs for whoever sets its tool or input.',
  })
}
