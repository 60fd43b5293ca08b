import type { Principal } from '../call.ts'
import type { Page } from '../page.ts'

/** A person of a tenant. As a principal: `user:<id>`. */
export interface Member {
  id: string
  tenant: string
  /** In small letters. The owner of an embedded crib has none. */
  email?: string
  name: string
  /** A shipped role, or one of the configuration. */
  role: string
  /** Permissions beside those of the role. */
  permissions: readonly string[]
  /** Nobody acts as a suspended member; nothing of theirs is lost. */
  status: 'active' | 'suspended'
  createdAt: string
}

/** A member to be. The address is one that `parseEmail` gave. */
export type NewMember = Pick<Member, 'email' | 'name' | 'role' | 'permissions'>

export type MemberChange = Partial<Pick<Member, 'name' | 'role' | 'permissions' | 'status'>>

/** Who changes a member, and whether they may, told by the member as it is then. */
export interface MemberEdit {
  by: Principal
  /** Throws to refuse. Nobody else changes the member between this and the change. */
  check?(member: Member): void
}

/** The one owner that an embedded crib begins with: whoever holds the machine. */
export const firstOwnerId = 'owner'

/**
 * Members of tenants. Every change is an event in the same transaction. The last active owner of a
 * tenant can't be removed, demoted or suspended: that is a conflict, also when two try it at once.
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
  /** By id: in the order in which they came. */
  list(tenant: string, query: { after?: string; limit: number }): Promise<Page<Member>>
  /** Undefined when there is no such member. Suspending signs them out. */
  change(
    tenant: string,
    id: string,
    edit: MemberEdit & { change: MemberChange },
  ): Promise<Member | undefined>
  /** With their sign-ins. False when there was no such member. */
  remove(tenant: string, id: string, edit: MemberEdit): Promise<boolean>
  /** The first owner is there from now on, if it was not. */
  ensureOwner(tenant: string): Promise<Member>
  /** For signing in: the member, and the hash of their password where they have one. */
  findWithPassword(
    tenant: string,
    who: { id: string } | { email: string },
  ): Promise<{ member: Member; passwordHash: string | undefined } | undefined>
  /** Without a hash they have no password any more. False when there is no such member. */
  setPasswordHash(
    tenant: string,
    id: string,
    password: { hash: string | undefined; by: Principal },
  ): Promise<boolean>
}
