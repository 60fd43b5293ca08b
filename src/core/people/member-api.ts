import type { Caller, Principal } from '../call.ts'
import type { Page } from '../page.ts'
import type { Member, MemberChange } from './member.ts'

/** Who a caller is, as far as the crib knows. */
export interface WhoAmI {
  principal: Principal
  tenant: string
  /** The tenant it belongs to, where it acts in another. */
  home?: string
  permissions: readonly string[]
  /** Of a member. */
  role?: string
  name?: string
  email?: string
  /** The agent that a key is bound to. */
  agent?: string
}

export interface MemberRequest {
  email: string
  /** The address unless said. */
  name?: string
  /** `member` unless said. */
  role?: string
  permissions?: readonly string[]
}

/** Members of the caller's tenant. Changes need `members.manage`; nobody hands out more than they hold. */
export interface MemberApi {
  whoAmI(caller: Caller): Promise<WhoAmI>
  /** In the order in which they came. */
  listMembers(caller: Caller, query: { after?: string; limit: number }): Promise<Page<Member>>
  /** What people are called, for everybody who works here: no address, no role. */
  listNames(caller: Caller): Promise<{ id: string; name: string }[]>
  findMember(caller: Caller, id: string): Promise<Member>
  /** Without an invitation: they sign in by a link, or where they have an account already. */
  createMember(caller: Caller, request: MemberRequest): Promise<Member>
  changeMember(caller: Caller, id: string, change: MemberChange): Promise<Member>
  removeMember(caller: Caller, id: string): Promise<void>
}
