import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { parseEmail } from '../../core/people/email.ts'
import type { MemberApi, WhoAmI } from '../../core/people/member-api.ts'
import { isActiveOwner } from '../../core/people/member-rules.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { Member } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { checkScopes } from '../../core/policy/check-scopes.ts'
import type { Store } from '../../core/ports.ts'
import {
  assertNoMore,
  requireOneOf,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'

interface MemberAccessOptions {
  store: Pick<Store, 'members'>
  roles: RoleBook
}

const mostNames = 500

/** Members of the caller's tenant, and who the caller is. */
export function createMemberAccess({ store, roles }: MemberAccessOptions): MemberApi {
  const { members } = store
  const assertMayHave = (caller: Caller, member: Pick<Member, 'role' | 'permissions'>) =>
    assertNoMore(caller, roles.permissionsOf(member))
  return {
    async whoAmI(caller) {
      const { tenant, principal } = caller
      const own = principal.kind === 'user' ? (caller.home ?? tenant) : undefined
      const member = own === undefined ? undefined : await members.find(own, principal.id)
      return toWhoAmI(caller, member)
    },
    async listMembers(caller, query) {
      requireOneOf(caller, ['members.manage', 'audit.read'])
      return members.list(caller.tenant, query)
    },
    listNames: (caller) => listNames(caller, store),
    async findMember(caller, id) {
      requireOneOf(caller, ['members.manage', 'audit.read'])
      const member = await members.find(caller.tenant, id)
      if (member === undefined) throw memberNotFound(id)
      return member
    },
    async createMember(caller, { email: given, name, role = 'member', permissions = [] }) {
      requireManager(caller)
      roles.assertRole(role)
      if (role === 'owner') assertOwner(await isOwner(caller, store))
      checkScopes(permissions, [])
      assertMayHave(caller, { role, permissions })
      const email = parseEmail(given)
      const member = { email, name: name ?? email, role, permissions }
      return members.create(caller.tenant, member, { by: caller.principal, event: 'member.added' })
    },
    async changeMember(caller, id, change) {
      requireManager(caller)
      if (change.role !== undefined) roles.assertRole(change.role)
      checkScopes(change.permissions ?? [], [])
      const byOwner = await isOwner(caller, store)
      const check = (member: Member) => {
        const after = { ...member, ...withoutUndefined(change) }
        if ([member.role, after.role].includes('owner')) assertOwner(byOwner)
        assertMayHave(caller, member)
        assertMayHave(caller, after)
      }
      const edit = { by: caller.principal, check, change }
      const member = await members.change(caller.tenant, id, edit)
      if (member === undefined) throw memberNotFound(id)
      return member
    },
    async removeMember(caller, id) {
      requireManager(caller)
      const byOwner = await isOwner(caller, store)
      const check = (member: Member) => {
        if (member.role === 'owner') assertOwner(byOwner)
        assertMayHave(caller, member)
      }
      const edit = { by: caller.principal, check }
      if (!(await members.remove(caller.tenant, id, edit))) throw memberNotFound(id)
    },
  }
}

async function listNames(
  caller: Caller,
  { members }: MemberAccessOptions['store'],
): Promise<{ id: string; name: string }[]> {
  if (caller.principal.kind !== 'user') requireOneOf(caller, ['members.manage', 'audit.read'])
  const { items } = await members.list(caller.tenant, { limit: mostNames })
  return items.map(({ id, name, email }) => ({ id, name: toShownName(name, email) }))
}

/** A member without a name is called by their address, which is not for everybody. */
function toShownName(name: string, email: string | undefined): string {
  return name === email ? name.replace(/@.*$/s, '') : name
}

function toWhoAmI(caller: Caller, member: Member | undefined): WhoAmI {
  const { principal, tenant, home, permissions, agent } = caller
  return {
    principal,
    tenant,
    ...(home !== undefined && { home }),
    permissions,
    ...(member && { role: member.role, name: member.name }),
    ...(member?.email !== undefined && { email: member.email }),
    ...(agent !== undefined && { agent }),
  }
}

function requireManager(caller: Caller): void {
  requirePermission(caller, 'members.manage')
  requireUnbound(caller)
}

/**
 * An owner of the tenant, or an operator who acts in it. Keys are never owners: an admin, who holds
 * as much, could make one. Whoever holds the process is one in every tenant, whatever became of the
 * first owner as a member: they come without a session.
 */
export async function isOwner(
  caller: Caller,
  { members }: Pick<Store, 'members'>,
): Promise<boolean> {
  const { principal, tenant, home, signInId } = caller
  if (home !== undefined) return true
  if (principal.kind !== 'user') return false
  if (principal.id === firstOwnerId && signInId === undefined) return true
  const member = await members.find(tenant, principal.id)
  return member !== undefined && isActiveOwner(member)
}

function assertOwner(isOwner: boolean): void {
  if (isOwner) return
  throw new ToolError('forbidden', 'Only an owner may make, change or remove owners', {
    fix: 'Ask an owner of this tenant. An API key is never one.',
  })
}

/** Foreign and missing members are one answer. */
function memberNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no member ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib members lists them.',
  })
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T
}
