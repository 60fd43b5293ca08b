import { createId } from '../kernel/ids.ts'
import { toCallResult } from '../kernel/call-result.ts'
import type { PipelinePorts } from '../pipeline/ports.ts'
import type { GroupStore } from './group-store.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Continuation, GroupRecord } from './group.ts'
import type { Continue, GroupResults } from './continuation.ts'
import { createContinuations } from './continuations.ts'
import { failPending } from './fail-pending.ts'
import { groupNotFound } from './group-errors.ts'
import { waitForGroup } from './wait-for-group.ts'

/**
 * Calls that something waits for together, such as those an agent's turn makes in one pass: they
 * join by `groupId`, the group is sealed when no more will come, and when every one of them has
 * settled, what is registered for its kind goes on, once.
 */
export interface Groups {
  /** A group to join. With a deadline, members that have not settled by then fail with `timeout`. */
  create(group: {
    tenant: string
    continuation: Continuation
    deadlineAt?: number
  }): Promise<string>
  /** No more members; where all have settled already, it continues now. */
  seal(tenant: string, groupId: string): Promise<GroupRecord>
  /**
   * Seals the group and continues here: resolves with the results. At the deadline members that have
   * not settled fail with `timeout`, and are told as such. Should this process die meanwhile, the
   * continuation of its kind goes on in its place; so it does when the signal aborts or the crib
   * closes. Rejects then.
   */
  waitFor(
    tenant: string,
    groupId: string,
    options: { deadlineMs: number; signal?: AbortSignal },
  ): Promise<GroupResults>
  /**
   * What goes on with groups of this kind, on this node. It runs once, and again only where its node
   * died or was silent, or it threw, before it was marked as done: then with a higher attempt.
   * Returns the way to stop.
   */
  onContinue(kind: string, run: Continue): () => void
  /** Looks for groups to continue. Returns how many it took. */
  sweep(): Promise<number>
  /** Ends what is past its deadline. */
  expire(): Promise<number>
  /** Takes nothing more, tells what runs to stop, and waits for it. */
  close(): Promise<void>
}

export interface GroupsOptions {
  store: GroupStore
  events: Pick<EventLog, 'watch'>
  ports(): PipelinePorts
  /** A node that was silent for so long has lost the groups it was continuing. */
  leaseMs: number
  onWarning(message: string): void
}

const overdueAtOnce = 100

/** The mechanism, for whoever makes groups; agents do. */
export function createGroups(options: GroupsOptions): Groups {
  const { store, leaseMs } = options
  const wake = () => options.ports().work.wake()
  const continuations = createContinuations({ ...options, wake, readResults })

  const closing = new AbortController()
  const waiters = new Set<Promise<GroupResults>>()

  async function readResults({ tenant, groupId }: GroupRecord): Promise<GroupResults> {
    const members = await store.listMembers(tenant, groupId)
    const results = members.map(toCallResult)
    return { results, failed: results.filter(({ status }) => status !== 'completed').length }
  }
  async function seal(tenant: string, groupId: string): Promise<GroupRecord> {
    const group = await store.seal(tenant, groupId)
    if (group === undefined) throw groupNotFound(groupId)
    wake()
    return group
  }
  async function expireOne({ tenant, groupId }: GroupRecord): Promise<void> {
    // Whoever made it may have died before it was sealed: it must end all the same.
    await seal(tenant, groupId)
    await failPending({ tenant, groupId }, { store, ports: options.ports() })
    wake()
  }
  return {
    async create({ tenant, continuation, deadlineAt }) {
      const groupId = createId('group')
      await store.create({ groupId, tenant, continuation, deadlineAt })
      return groupId
    },
    seal,
    async waitFor(tenant, groupId, { deadlineMs, signal: given }) {
      const fail = () => failPending({ tenant, groupId }, { store, ports: options.ports() })
      const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal
      const how = { ...options, leaseMs, deadlineMs, signal, seal, fail, readResults }
      const waiter = waitForGroup({ tenant, groupId }, how)
      waiters.add(waiter)
      const forget = () => waiters.delete(waiter)
      waiter.then(forget, forget)
      return waiter
    },
    onContinue: continuations.register,
    sweep: continuations.sweep,
    async expire() {
      const overdue = await store.findOverdue(overdueAtOnce)
      await Promise.all(overdue.map(expireOne))
      return overdue.length < overdueAtOnce ? 0 : overdue.length
    },
    async close() {
      closing.abort()
      await Promise.all([continuations.close(), Promise.allSettled(waiters)])
    },
  }
}
