import type { StoredCall } from '../call-log.ts'
import type { GroupRecord } from './group.ts'

/** A call in a group, with the key that it was made with. */
export type GroupMember = StoredCall & { idempotencyKey?: string }

/**
 * Groups of calls. Calls join when they are opened, and leave when they settle, each in the
 * statement that does so. A group settles with the last event: the end of its last member, or its
 * seal. The node that continues it holds a lease; every lease is a new attempt, and an old one can
 * neither renew nor finish anything.
 */
export interface GroupStore {
  create(
    group: Pick<GroupRecord, 'groupId' | 'tenant' | 'continuation' | 'deadlineAt'>,
  ): Promise<void>
  /** Admits no more members. Undefined when there is no such group; idempotent. */
  seal(tenant: string, groupId: string): Promise<GroupRecord | undefined>
  find(tenant: string, groupId: string): Promise<GroupRecord | undefined>
  /** In the order in which they were made. */
  listMembers(tenant: string, groupId: string): Promise<GroupMember[]>
  /** Announces groups that have settled since the last call. Returns how many. */
  announceSettled(limit: number): Promise<number>
  /**
   * Groups of these kinds that have settled and that nobody continues; each is leased to the
   * caller.
   */
  claim(query: { kinds: readonly string[]; leaseMs: number; limit: number }): Promise<GroupRecord[]>
  /** Leases a group that need not have settled yet. Undefined when another node has the lease. */
  hold(tenant: string, groupId: string, leaseMs: number): Promise<{ attempt: number } | undefined>
  /** Sets the lease to expire after this time; false if another node has it by now. */
  keep(tenant: string, groupId: string, lease: { attempt: number; ms: number }): Promise<boolean>
  /** Marks it as continued; false if another node has the lease by now. */
  finish(tenant: string, groupId: string, attempt: number): Promise<boolean>
  /** Groups past their deadline that have not settled. */
  findOverdue(limit: number): Promise<GroupRecord[]>
}
