import type { Caller, Principal } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { personOf } from '../../core/keys/person-of.ts'
import type { Member } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { commonPermissions, compilePermissions } from '../../core/policy/permissions.ts'
import type { PermissionName } from '../../core/policy/roles.ts'
import type { Stores } from '../../features/stores.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { ApiKey } from '../../core/vault-ports.ts'

/** The current permissions of a key or a member. */
export interface Authority {
  permissions: readonly string[]
  /** Why there are none left: `the key k1 is revoked`. */
  isOver?: string
}

/** The single source of the current permissions of keys and members; nothing is cached here. */
export interface Authorities {
  /** The scopes of the key, limited to those of the member it belongs to. */
  ofKey(key: ApiKey): Promise<Authority>
  ofMember(member: Member | undefined, tenant: string): Authority
  /**
   * A caller who is absent, with only their current permissions: the owner of a schedule, the
   * starter of a turn, or the caller of a waiting call. Throws forbidden when they no longer have
   * any of `needed`.
   */
  now(caller: Caller, needed: readonly PermissionName[]): Promise<Caller>
  /** These principals, and the owners of their keys. */
  peopleBehind(tenant: string, principals: readonly Principal[]): Promise<Principal[]>
}

interface AuthorityOptions {
  store: Pick<Stores, 'now' | 'keys' | 'members'>
  roles: RoleBook
}

export function createAuthorities({ store, roles }: AuthorityOptions): Authorities {
  const { keys, members } = store
  function ofMember(member: Member | undefined, tenant: string): Authority {
    if (member === undefined) return nothing('the member was removed')
    if (member.status !== 'active') return nothing(`the member ${member.id} is suspended`)
    const permissions = roles.permissionsOf(member)
    const isVisitor = member.tenant !== tenant
    if (!isVisitor || compilePermissions(permissions).has('tenants.manage')) return { permissions }
    return nothing(`the member ${member.id} may no longer act in this tenant`)
  }
  async function ofKey(key: ApiKey): Promise<Authority> {
    const { id, tenant, scopes, owner } = key
    const end = endOf(key, store.now())
    if (end !== undefined) return nothing(`the key ${id} ${end}`)
    if (owner === undefined || !isMember(owner.id)) return { permissions: scopes }
    const held = ofMember(await members.find(owner.tenant, owner.id), tenant)
    if (held.isOver === undefined) return { permissions: narrow(scopes, held.permissions) }
    return nothing(`the key ${id} does not work: ${held.isOver}`)
  }
  // A member who manages tenants also acts in others, but belongs to the first.
  const findKey = async (tenant: string, id: string) =>
    (await keys.find(tenant, id)) ?? keys.find(defaultTenant, id)
  async function find(tenant: string, { kind, id }: Principal): Promise<Authority | undefined> {
    if (kind === 'key') {
      const key = await findKey(tenant, id)
      return key === undefined ? nothing(`the key ${id} is gone`) : ofKey(key)
    }
    // An application that embeds the crib has its own users, who are unknown here.
    if (kind !== 'user' || !isMember(id)) return undefined
    const member = (await members.find(tenant, id)) ?? (await members.find(defaultTenant, id))
    return member === undefined ? nothing(`the member ${id} was removed`) : ofMember(member, tenant)
  }
  return {
    ofKey,
    ofMember,
    async now(caller, needed) {
      const authority = await find(caller.tenant, caller.onBehalfOf ?? caller.principal)
      if (authority === undefined) return caller
      if (authority.isOver !== undefined) throw gone(authority.isOver)
      const permissions = narrow(caller.permissions, authority.permissions)
      const held = compilePermissions(permissions)
      if (!needed.some((one) => held.has(one))) throw gone(`they lack ${needed.join(' and ')}`)
      return permissions === caller.permissions ? caller : { ...caller, permissions }
    },
    async peopleBehind(tenant, principals) {
      const ids = principals.flatMap(({ kind, id }) => (kind === 'key' ? [id] : []))
      const found = await Promise.all(ids.map((id) => findKey(tenant, id)))
      return [...principals, ...found.flatMap((key) => (key === undefined ? [] : [personOf(key)]))]
    },
  }
}

/** Whether something acts for a member who did not send this request. */
export function isAbsentMember({ onBehalfOf, principal, signInId }: Caller): boolean {
  const { kind, id } = onBehalfOf ?? principal
  return signInId === undefined && kind === 'user' && isMember(id)
}

/** The earlier permissions that are still held; the same list if all of them are. */
function narrow(before: readonly string[], now: readonly string[]): readonly string[] {
  const held = compilePermissions(now)
  return before.every((permission) => held.has(permission))
    ? before
    : commonPermissions(before, now)
}

function endOf({ revokedAt, expiresAt }: ApiKey, now: number): string | undefined {
  if (revokedAt !== undefined) return 'is revoked'
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now
  return isExpired ? 'has expired' : undefined
}

function isMember(id: string): boolean {
  return id.startsWith('mem_')
}

function nothing(isOver: string): Authority {
  return { permissions: [], isOver }
}

function gone(why: string): ToolError {
  return new ToolError(
    'forbidden',
    `The person who requested this is no longer allowed to do it: ${why}`,
    {
      fix: 'Request it yourself, with a valid key. A schedule runs for the person who last set its tool or input.',
    },
  )
}
