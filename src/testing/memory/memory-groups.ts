import { cannotJoin } from '../../core/async/group-errors.ts'
import type { ToolError } from '../../core/errors.ts'
import type { EventType } from '../../core/events/event.ts'
import type { GroupStore } from '../../core/async/group-store.ts'
import type { CallStart, Settlement } from '../../core/call-log.ts'
import type { GroupRecord } from '../../core/async/group.ts'
import { type MemoryEventLog, withoutUndefined } from './memory-log.ts'

interface Entry {
  group: GroupRecord
  leaseUntil: number
  isAnnounced: boolean
}

/** Groups in a map, and what the record of calls tells them. */
export interface MemoryGroups extends Omit<GroupStore, 'listMembers'> {
  /** Why this call may not join; counts it where it may. */
  join(start: CallStart): ToolError | undefined
  countOff(groupId: string, settlement: Settlement): void
}

export function createMemoryGroups(events: MemoryEventLog): MemoryGroups {
  const groups = new Map<string, Entry>()
  const findEntry = (tenant: string, groupId: string) => {
    const entry = groups.get(groupId)
    return entry?.group.tenant === tenant ? entry : undefined
  }
  const tell = ({ group }: Entry, type: EventType, at: number) => {
    const { tenant, groupId, continuation, members, pending, failed, attempt } = group
    const data = { groupId, kind: continuation.kind, members, pending, failed, attempt }
    const principal = { kind: 'system', id: 'groups' } as const
    events.append({ tenant, principal }, [{ type, at, data }])
  }
  const announce = (entry: Entry) => {
    if (entry.isAnnounced || entry.group.settledAt === undefined) return
    entry.isAnnounced = true
    tell(entry, 'group.settled', entry.group.settledAt)
  }
  const lease = (entry: Entry, ms: number) => {
    entry.group.attempt += 1
    entry.leaseUntil = Date.now() + ms
  }
  const isFree = ({ group, leaseUntil }: Entry) =>
    group.continuedAt === undefined && leaseUntil <= Date.now()
  const settleIfComplete = ({ group }: Entry, at: number, settledBy?: string) => {
    if (!group.isSealed || group.pending > 0 || group.settledAt !== undefined) return
    group.settledAt = at
    if (settledBy !== undefined) group.settledBy = settledBy
  }
  const holder = (tenant: string, groupId: string, attempt: number) => {
    const entry = findEntry(tenant, groupId)
    const isHolder = entry?.group.attempt === attempt && entry.group.continuedAt === undefined
    return isHolder ? entry : undefined
  }
  return {
    join({ tenant, groupId = '' }) {
      const entry = findEntry(tenant, groupId)
      if (entry === undefined || entry.group.isSealed) {
        return cannotJoin(groupId, entry !== undefined)
      }
      entry.group.members += 1
      entry.group.pending += 1
      return undefined
    },
    countOff(groupId, { tenant, callId, status, settledAt }) {
      const entry = findEntry(tenant, groupId)
      if (entry === undefined) return
      entry.group.pending -= 1
      if (status !== 'completed') entry.group.failed += 1
      settleIfComplete(entry, settledAt, callId)
    },
    async create({ groupId, tenant, continuation, deadlineAt }) {
      const counts = { isSealed: false, members: 0, pending: 0, failed: 0, attempt: 0 }
      const group = withoutUndefined({ groupId, tenant, continuation, deadlineAt, ...counts })
      groups.set(groupId, { group: structuredClone(group), leaseUntil: 0, isAnnounced: false })
    },
    async seal(tenant, groupId) {
      const entry = findEntry(tenant, groupId)
      if (entry !== undefined && !entry.group.isSealed) {
        entry.group.isSealed = true
        settleIfComplete(entry, Date.now())
        tell(entry, 'group.sealed', Date.now())
      }
      return structuredClone(entry?.group)
    },
    find: async (tenant, groupId) => structuredClone(findEntry(tenant, groupId)?.group),
    async announceSettled() {
      for (const entry of groups.values()) announce(entry)
      return 0
    },
    async claim({ kinds, leaseMs, limit }) {
      const ready = [...groups.values()]
        .filter((entry) => entry.group.settledAt !== undefined && isFree(entry))
        .filter(({ group }) => kinds.includes(group.continuation.kind))
        .slice(0, limit)
      for (const entry of ready) lease(entry, leaseMs)
      return ready.map(({ group }) => structuredClone(group))
    },
    async hold(tenant, groupId, leaseMs) {
      const entry = findEntry(tenant, groupId)
      if (entry === undefined || !isFree(entry)) return undefined
      lease(entry, leaseMs)
      return { attempt: entry.group.attempt }
    },
    async keep(tenant, groupId, { attempt, ms }) {
      const entry = holder(tenant, groupId, attempt)
      if (entry !== undefined) entry.leaseUntil = Date.now() + ms
      return entry !== undefined
    },
    async finish(tenant, groupId, attempt) {
      const entry = holder(tenant, groupId, attempt)
      if (entry?.group.settledAt === undefined) return false
      announce(entry)
      entry.group.continuedAt = Date.now()
      tell(entry, 'group.continued', entry.group.continuedAt)
      return true
    },
    async findOverdue(limit) {
      return [...groups.values()]
        .map(({ group }) => group)
        .filter(({ settledAt, deadlineAt }) => settledAt === undefined && isPast(deadlineAt))
        .slice(0, limit)
        .map((group) => structuredClone(group))
    },
  }
}

function isPast(deadlineAt: number | undefined): boolean {
  return deadlineAt !== undefined && deadlineAt < Date.now()
}
