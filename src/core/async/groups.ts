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
 * Calls whose results are awaited together, such as those an agent's turn makes in one pass: they
 * join by `groupId`, the group is sealed when no more will come, and when all of them have settled,
 * the continuation registered for its kind runs once.
 */
export interface Groups {
  /**
   * Creates a group to join. With a deadline, members that have not settled by then fail with
   * `timeout`.
   */
  create(group: {
    tenant: string
    continuation: Continuation
    deadlineAt?: number
  }): Promise<string>
  /** Admits no more members; if all have already settled, it continues now. */
  seal(tenant: string, groupId: string): Promise<GroupRecord>
  /**
   * Seals the group and continues here: resolves with the results. At the deadline members that
   * have not settled fail with `timeout`, and are reported as such. If this process dies, the
   * continuation of its kind runs instead; likewise when the signal aborts or the server closes.
   * Then it rejects.
   */
  waitFor(
    tenant: string,
    groupId: string,
    options: { deadlineMs: number; signal?: AbortSignal },
  ): Promise<GroupResults>
  /**
   * Registers the continuation for groups of this kind on this node. It runs once; it runs again,
   * with a higher attempt, only if its node died or went silent, or it threw, before it was marked
   * as done. Returns a function that unregisters it.
   */
  onContinue(kind: string, run: Continue): () => void
  /** Looks for groups to continue. Returns how many it claimed. */
  sweep(): Promise<number>
  /** Ends groups past their deadline. */
  expire(): Promise<number>
  /** Claims nothing more, aborts running continuations, and waits for them. */
  close(): Promise<void>
}

export interface GroupsOptions {
  store: GroupStore
  events: Pick<EventLog, 'watch'>
  ports: PipelinePorts
  /** A node that was silent for this long has lost the groups it was continuing. */
  leaseMs: number
  onWarning(message: string): void
}

const overdueAtOnce = 100

/** Creates the mechanism for features that use groups, such as agents. */
export function createGroups(options: GroupsOptions): Groups {
  const { store, leaseMs } = options
  const wake = () => options.ports.work.wake()
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
    // Its creator may have died before sealing it: it must end anyway.
    await seal(tenant, groupId)
    await failPending({ tenant, groupId }, { store, ports: options.ports })
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
      const fail = () => failPending({ tenant, groupId }, { store, ports: options.ports })
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
