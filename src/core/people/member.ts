import type { Principal } from '../kernel/call.ts'
import type { Page } from '../kernel/page.ts'

/** A person of a tenant. As a principal: `user:<id>`. */
export interface Member {
  id: string
  tenant: string
  /** In lower case. The owner of an embedded instance has none. */
  email?: string
  name: string
  /** A built-in role, or a configured one. */
  role: string
  /** Permissions in addition to those of the role. */
  permissions: readonly string[]
  /** Nobody can act as a suspended member; their data is kept. */
  status: 'active' | 'suspended'
  createdAt: string
}

/** A member to create. The address comes from `parseEmail`. */
export type NewMember = Pick<Member, 'email' | 'name' | 'role' | 'permissions'>

export type MemberChange = Partial<Pick<Member, 'name' | 'role' | 'permissions' | 'status'>>

/** The author of a change, and a check against the member at the time of the change. */
export interface MemberEdit {
  by: Principal
  /** Throws to refuse. The member is locked between this check and the change. */
  check?(member: Member): void
}

/** The first owner of an embedded instance: the person who runs the machine. */
export const firstOwnerId = 'owner'

/**
 * Members of tenants. Every change is an event in the same transaction. The last active owner of a
 * tenant can't be removed, demoted or suspended: that is a conflict, even for two concurrent
 * attempts.
 */
export interface MemberStore {
  /** Throws conflict when the tenant has a member with this address. */
  create(
    tenant: string,
    member: NewMember,
    how: { by?: Principal; event: 'member.added' | 'member.joined' },
  ): Promise<Member>
  find(tenant: string, id: string): Promise<Member | undefined>
  findByEmail(tenant: string, email: string): Promise<Member | undefined>
  /** By id, which is the order in which they joined. */
  list(tenant: string, query: { after?: string; limit: number }): Promise<Page<Member>>
  /** Undefined when there is no such member. Suspending signs them out. */
  change(
    tenant: string,
    id: string,
    edit: MemberEdit & { change: MemberChange },
  ): Promise<Member | undefined>
  /** With their sign-ins. False when there was no such member. */
  remove(tenant: string, id: string, edit: MemberEdit): Promise<boolean>
  /** Creates the first owner if there is none. */
  ensureOwner(tenant: string): Promise<Member>
  /** For signing in: the member, and the hash of their password if they have one. */
  findWithPassword(
    tenant: string,
    who: { id: string } | { email: string },
  ): Promise<{ member: Member; passwordHash: string | undefined } | undefined>
  /** Without a hash the password is removed. False when there is no such member. */
  setPasswordHash(
    tenant: string,
    id: string,
    password: { hash: string | undefined; by: Principal },
  ): Promise<boolean>
}
