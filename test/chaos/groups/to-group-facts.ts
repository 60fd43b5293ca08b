import type { GroupFact, GroupRow, LoggedEvent, StoredCall } from '../evidence.ts'
import type { GroupLine } from './group-journal.ts'

export interface GroupSources {
  rows: readonly GroupRow[]
  lines: readonly GroupLine[]
  calls: readonly StoredCall[]
  events: readonly LoggedEvent[]
  /** Who was silent for so long has lost its group. */
  leaseMs: number
}

/** Each group with what the calls, the log and the journal of those who went on know of it. */
export function toGroupFacts({ rows, lines, calls, events, leaseMs }: GroupSources): GroupFact[] {
  const linesOf = Map.groupBy(lines, ({ groupId }) => groupId)
  const membersOf = Map.groupBy(calls, ({ groupId }) => groupId)
  const eventsOf = Map.groupBy(events, ({ stream }) => stream)
  return rows.map((row) => {
    const own = linesOf.get(row.groupId) ?? []
    const told = eventsOf.get(row.groupId.replace('group_', '')) ?? []
    return {
      ...row,
      members: (membersOf.get(row.groupId) ?? [])
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map(({ callId }) => callId),
      events: told.toSorted((a, b) => a.seq - b.seq).map(({ type }) => type),
      continuations: toContinuations(own, leaseMs),
      hasLostWaiter: hasLostWaiter(own),
    }
  })
}

/** Whoever made the calls numbered them: their ids are on trial. */
function placeOf({ input }: StoredCall): number {
  const { operation } = input as { operation: string }
  return Number(operation.split('/').at(-1))
}

/**
 * A run that failed may be followed by another, and so may one whose node has lost the lease. That was
 * given a little before the run began, so half of it must have passed; where nothing is wrong the next
 * would come within a second. Only a higher attempt follows: a lower one had lost the lease when it began.
 */
function toContinuations(lines: readonly GroupLine[], leaseMs: number): GroupFact['continuations'] {
  const runs = lines.filter(({ what }) => what === 'continue' || what === 'went-on')
  return runs.map((run, index) => {
    const next = runs[index + 1]
    const hasThrown = lines.some(({ what, attempt }) => what === 'threw' && attempt === run.attempt)
    const wasSilent = next !== undefined && next.atMs - run.atMs >= leaseMs / 2
    // Who waited went on after the group was marked: there is nothing to take over.
    const mayFollow = run.what === 'continue' && (hasThrown || wasSilent)
    const isCutOff = next !== undefined && mayFollow && isLater(next, run)
    return { results: run.results ?? [], isCutOff }
  })
}

/** Who waited does not say its attempt. */
function isLater(next: GroupLine, run: GroupLine): boolean {
  return next.attempt === undefined || next.attempt > (run.attempt ?? 0)
}

/** Its process ended while it waited: it may have been told to go on and never have got to it. */
function hasLostWaiter(lines: readonly GroupLine[]): boolean {
  const count = (kind: GroupLine['what']) => lines.filter(({ what }) => what === kind).length
  return count('wait') > count('went-on') + count('gave-up')
}
