import { defaultQueue } from '../../core/pipeline/record/work-order.ts'
import type { CallLog, StoredCall } from '../../core/call-log.ts'
import type { Engine, Statement, TextRow, Value } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { parseCallId } from './call-id.ts'
import { type CallChange } from './call-rows.ts'
import { callSelection, toStoredCall } from './read-call-rows.ts'
import { createCallStarts } from './call-starts.ts'
import { cutOffShare, type NodePresence } from './node-presence.ts'
import { isOfActive } from './active-tenants.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { toStoredText } from './stored-text.ts'

type WorkMethods = Pick<
  CallLog,
  | 'findRunnable'
  | 'start'
  | 'requeue'
  | 'wait'
  | 'releaseParents'
  | 'releaseStalled'
  | 'findStranded'
  | 'findOverdue'
  | 'listChildren'
  | 'findWithInput'
  | 'listWork'
>

/** The part of the record by which calls are run from a queue and wait in storage. */
export function createCallWork(
  engine: Engine,
  {
    presence,
    inputs,
    change,
  }: {
    presence: NodePresence
    inputs: InputSeal
    change: (entry: CallChange) => Promise<TextRow | undefined>
  },
): WorkMethods {
  const find = async (statement: Statement, values: Value[]): Promise<StoredCall[]> => {
    try {
      const rows = await engine.run(statement, values)
      return rows.map((row) => withNode(toStoredCall(row, inputs), row.at(-1)))
    } catch (error) {
      throw toStoreError(error)
    }
  }
  return {
    async findRunnable(jobs) {
      const known = jobs.filter(({ callId }) => parseCallId(callId) !== undefined)
      const uuids = known.map(({ callId }) => parseCallId(callId))
      const tenants = known.map(({ tenant }) => toStoredText(tenant))
      const values = [JSON.stringify(tenants), `{${uuids.join(',')}}`, presence.id]
      // The folder's lock proves that every other node of an embedded store is dead.
      if (engine.kind === 'pglite') return find(findRunnableHere, values)
      return find(findRunnable, [...values, presence.timeoutMs, presence.lastSeen() ?? null])
    },
    start: createCallStarts(engine, presence.id, change),
    async requeue(tenant, callId, from) {
      return (await change({ kind: 'requeue', tenant, callId, ...from })) !== undefined
    },
    async wait(tenant, callId, from) {
      return (await change({ kind: 'wait', tenant, callId, ...from })) !== undefined
    },
    ...createParentRelease({ find, change, now: () => engine.now() }),
    findStranded: (limit) => find(findStranded, [limit]),
    findOverdue: (limit) => find(findOverdue, [engine.now(), limit]),
    async listChildren(tenant, callId) {
      const uuid = parseCallId(callId)
      return uuid === undefined ? [] : find(listChildren, [toStoredText(tenant), uuid])
    },
    async findWithInput(tenant, callId) {
      const uuid = parseCallId(callId)
      if (uuid === undefined) return undefined
      const [call] = await find(findWithInput, [toStoredText(tenant), uuid])
      return call
    },
    listWork: (after, limit) =>
      find(listWork, [(after && parseCallId(after)) ?? '0'.repeat(32), limit]),
  }
}

/** Puts calls that waited for others into the queue. */
function createParentRelease({
  find,
  change,
  now,
}: {
  find(statement: Statement, values: Value[]): Promise<StoredCall[]>
  change(entry: CallChange): Promise<TextRow | undefined>
  now(): number
}): Pick<CallLog, 'releaseParents' | 'releaseStalled'> {
  const release = async (statement: Statement, limit: number) => {
    const parents = await find(statement, [limit])
    const released = await Promise.all(parents.map((parent) => change(toRelease(parent, now()))))
    return released.filter((row) => row !== undefined).length
  }
  return {
    async releaseParents(limit) {
      const released = await Promise.all([
        release(findWoken, limit),
        release(findReleasable, limit),
      ])
      return released[0] + released[1]
    },
    releaseStalled: (limit) => release(findStalled, limit),
  }
}

function toRelease({ tenant, callId, work, attempt }: StoredCall, at: number): CallChange {
  const data = { reason: 'A call it waited for has ended' }
  return {
    kind: 'release',
    tenant,
    callId,
    attempt,
    work: { queue: defaultQueue, priority: 0, ...work, startAt: undefined },
    events: [{ type: 'call.queued', at, data }],
  }
}

/** Only the statements that look for it hand it back, in last place. */
function withNode(call: StoredCall, runsOn: string | null | undefined): StoredCall {
  return runsOn === 'here' || runsOn === 'elsewhere' ? { ...call, runsOn } : call
}

/**
 * One look by key for each job. The limit and the coalesce are for the planner, which would else
 * walk through all unsettled calls, and keep doing so.
 */
function selectRunnable(runsOn: string): string {
  return `select ${callSelection}, case when status = 'running' then ${runsOn} end
    from unnest(array(select json_array_elements_text($1::json)), $2::uuid[]) as j (job_tenant, job_id)
    cross join lateral (select * from calls c
      where c.tenant = j.job_tenant and c.id = j.job_id limit 1) c
    where coalesce(settled_ms, 0) = 0 and status in ('queued', 'running')`
}

export const findRunnableHere: Statement = {
  name: 'find_runnable_here',
  text: selectRunnable(`case when c.node = $3 then 'here' end`),
}

/**
 * A recently seen node counts as alive. A node that was cut off itself cannot judge, and assumes it
 * is alive.
 */
const findRunnable: Statement = {
  name: 'find_runnable',
  text: selectRunnable(`case when c.node = $3 then 'here'
      when exists (select from nodes n where n.id = c.node
        and n.seen_at > now() - make_interval(secs => $4::float8 / 1000))
        or not exists (select from nodes n where n.id = $3 and n.seen_at <= $5::timestamptz
          and n.seen_at > now() - make_interval(secs => $4::float8 / 1000 * ${cutOffShare}))
      then 'elsewhere' end`),
}

const hasNoOpenChild = `not exists (select from calls k
      where k.tenant = p.tenant and k.parent_id = p.id and coalesce(k.settled_ms, 0) = 0)`

export const findReleasable: Statement = {
  name: 'find_releasable',
  text: `select ${callSelection} from calls p
    where p.status = 'waiting' and p.waiting_for = 'call' and p.wake_at is null
      and ${hasNoOpenChild}
    order by p.tenant, p.id limit $1`,
}

/** The index has only those that are due, so looking costs nothing while all others wait. */
export const findWoken: Statement = {
  name: 'find_woken',
  text: `select ${callSelection} from calls p
    where p.status = 'waiting' and p.waiting_for = 'call' and p.wakes >= p.wake_at
    order by p.tenant, p.id limit $1`,
}

export const findStalled: Statement = {
  name: 'find_stalled',
  text: `select ${callSelection} from calls p
    where p.status = 'waiting' and p.waiting_for = 'call' and p.wake_at is not null
      and ${hasNoOpenChild}
    order by p.tenant, p.id limit $1`,
}

export const findStranded: Statement = {
  name: 'find_stranded',
  text: `select ${callSelection} from calls k
    where k.parent_wake is not null and k.settled_ms is null and k.status in ('waiting', 'queued')
      and exists (select from calls p
        where p.tenant = k.tenant and p.id = k.parent_id and p.settled_ms is not null)
    order by k.tenant, k.id limit $1`,
}

export const findOverdue: Statement = {
  name: 'find_overdue',
  text: `select ${callSelection} from calls
    where settled_ms is null and deadline_ms is not null and deadline_ms < $1
      and status in ('waiting', 'queued') and ${isOfActive}
    order by deadline_ms limit $2`,
}

const findWithInput: Statement = {
  name: 'find_call_with_input',
  text: `select ${callSelection} from calls where tenant = $1 and id = $2::uuid`,
}

const listChildren: Statement = {
  name: 'list_children',
  text: `select ${callSelection} from calls where tenant = $1 and parent_id = $2::uuid order by calls.id`,
}

/** Ordered by the column, not by its text, which is what `id` alone would mean here: that sorts all of them for each page. */
export const listWork: Statement = {
  name: 'list_work',
  text: `select ${callSelection} from calls
    where queue is not null and settled_ms is null and status in ('queued', 'running')
      and id > $1::uuid
    order by calls.id limit $2`,
}
