import type { StoredCall } from '../call-log.ts'
import type { GroupRecord } from './group.ts'

/** A call that has joined a group, with the key that it was made by. */
export type GroupMember = StoredCall & { idempotencyKey?: string }

/**
 * Groups. Calls join by being opened, and count themselves off by being settled, each in the
 * statement that does so. A group is settled by whichever comes last: its last member's end, or its
 * seal. Who continues it holds a lease meanwhile; every lease is a new attempt, and an old one keeps
 * and finishes nothing.
 */
export interface GroupStore {
  create(
    group: Pick<GroupRecord, 'groupId' | 'tenant' | 'continuation' | 'deadlineAt'>,
  ): Promise<void>
  /** No more members. Undefined when there is no such group; sealing again does no harm. */
  seal(tenant: string, groupId: string): Promise<GroupRecord | undefined>
  find(tenant: string, groupId: string): Promise<GroupRecord | undefined>
  /** In the order in which they were made. */
  listMembers(tenant: string, groupId: string): Promise<GroupMember[]>
  /** Tells of groups that have settled since. Returns how many it told of. */
  announceSettled(limit: number): Promise<number>
  /** Groups of these kinds that have settled and nobody continues; each is leased to who asked. */
  claim(query: { kinds: readonly string[]; leaseMs: number; limit: number }): Promise<GroupRecord[]>
  /** The lease of a group that need not have settled yet. Undefined when somebody has it. */
  hold(tenant: string, groupId: string, leaseMs: number): Promise<{ attempt: number } | undefined>
  /** The lease ends so long from now; false when it is another's by now. */
  keep(tenant: string, groupId: string, lease: { attempt: number; ms: number }): Promise<boolean>
  /** It was continued; false when that is another's business by now. */
  finish(tenant: string, groupId: string, attempt: number): Promise<boolean>
  /** Groups past their deadline that have not settled. */
  findOverdue(limit: number): Promise<GroupRecord[]>
}
