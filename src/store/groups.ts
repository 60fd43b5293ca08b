import { ToolError } from '../core/kernel/errors.ts'
import type { GroupMember, GroupStore } from '../core/async/group-store.ts'
import type { StoredCall } from '../core/call-log.ts'
import type { Continuation, GroupRecord } from '../core/async/group.ts'
import type { JsonValue } from '../core/kernel/tool.ts'
import type { Engine, Statement, TextRow, Value } from './engine/engine.ts'
import { leastNow } from './engine/now-ms.ts'
import { toStoreError } from './engine/store-error.ts'
import {
  announceGroup,
  announceSettled,
  claimGroups,
  createGroup,
  findGroup,
  findOverdueGroups,
  finishGroup,
  holdGroup,
  keepGroup,
  listMembers,
  sealGroup,
} from './group-statements.ts'
import { toCallId } from './log/call-id.ts'
import { toStoredCall } from './log/read-call-rows.ts'
import { parseGroupId, toGroupId } from './log/group-id.ts'
import type { InputSeal } from '../core/secrets/input-seal.ts'
import { toJsonText, toStoredMsOrNull, toStoredText } from './log/stored-text.ts'

/** Allowed names of continuation kinds, stored before the first line break of the column. */
const kindPattern = /^[a-z][a-z0-9.-]{0,99}$/

/** Groups on either engine. All times are the database's, which all nodes share. */
export function createGroupStore(engine: Engine, inputs: InputSeal): GroupStore {
  const run = async (statement: Statement, values: readonly Value[]): Promise<TextRow[]> => {
    try {
      return await engine.run(statement, values)
    } catch (error) {
      throw toStoreError(error)
    }
  }
  /** The statement for one group; an invalid id finds nothing. */
  const runOn = async (
    statement: Statement,
    { tenant, groupId }: Pick<GroupRecord, 'tenant' | 'groupId'>,
    values: readonly Value[] = [],
  ): Promise<TextRow[]> => {
    const uuid = parseGroupId(groupId)
    return uuid === undefined ? [] : run(statement, [toStoredText(tenant), uuid, ...values])
  }
  /** Where something was written, events were, too. */
  const tell = (rows: readonly TextRow[]): boolean => {
    if (rows.length > 0) engine.announce()
    return rows.length > 0
  }
  return {
    async create({ groupId, tenant, continuation, deadlineAt }) {
      const values = [toText(continuation), engine.now(), toStoredMsOrNull(deadlineAt)]
      await runOn(createGroup, { tenant, groupId }, values)
    },
    async seal(tenant, groupId) {
      const rows = await runOn(sealGroup, { tenant, groupId }, [engine.now()])
      return tell(rows) ? toGroup(rows[0]) : this.find(tenant, groupId)
    },
    find: async (tenant, groupId) => toGroup((await runOn(findGroup, { tenant, groupId }))[0]),
    async listMembers(tenant, groupId) {
      const rows = await runOn(listMembers, { tenant, groupId })
      return rows.map((row) => withKey(toStoredCall(row, inputs), row.at(-1)))
    },
    async announceSettled(limit) {
      const rows = await run(announceSettled, [limit])
      tell(rows)
      return rows.length
    },
    async claim({ kinds, leaseMs, limit }) {
      const values = [JSON.stringify(kinds), leaseMs, limit, leastNow(engine)]
      return toGroups(await run(claimGroups, values))
    },
    async hold(tenant, groupId, leaseMs) {
      const [row] = await runOn(holdGroup, { tenant, groupId }, [leaseMs, leastNow(engine)])
      return row && { attempt: Number(row[0]) }
    },
    async keep(tenant, groupId, { attempt, ms }) {
      const values = [attempt, ms, leastNow(engine)]
      return (await runOn(keepGroup, { tenant, groupId }, values)).length > 0
    },
    async finish(tenant, groupId, attempt) {
      await runOn(announceGroup, { tenant, groupId })
      return tell(await runOn(finishGroup, { tenant, groupId }, [attempt, engine.now()]))
    },
    findOverdue: async (limit) => toGroups(await run(findOverdueGroups, [engine.now(), limit])),
  }
}

/** Ends every lease at once; its holder, were there one, would find itself in an old attempt. */
export async function releaseGroups(engine: Engine): Promise<void> {
  await engine.db
    .updateTable('groups')
    .set({ lease_ms: null })
    .where('lease_ms', 'is not', null)
    .where('continued_ms', 'is', null)
    .execute()
}

function toText({ kind, data }: Continuation): string {
  if (kindPattern.test(kind)) return `${kind}\n${toJsonText(data)}`
  throw new ToolError('invalid_request', `${JSON.stringify(kind)} is not a kind of continuation`)
}

function withKey(call: StoredCall, idempotencyKey: string | null | undefined): GroupMember {
  return idempotencyKey == null ? call : { ...call, idempotencyKey }
}

function toGroups(rows: readonly TextRow[]): GroupRecord[] {
  return rows.flatMap((row) => toGroup(row) ?? [])
}

function toGroup(row: TextRow | undefined): GroupRecord | undefined {
  if (row === undefined) return undefined
  const [tenant, id, continuation, isSealed, members, pending, failed, attempt] = row
  const [deadlineAt, settledAt, continuedAt, settledBy] = row.slice(8)
  const [kind = '', ...data] = (continuation ?? '').split('\n')
  const group: GroupRecord = {
    groupId: toGroupId(id ?? ''),
    tenant: tenant ?? '',
    continuation: { kind, data: JSON.parse(data.join('\n')) as JsonValue },
    isSealed: isSealed === 'true',
    members: Number(members),
    pending: Number(pending),
    failed: Number(failed),
    attempt: Number(attempt),
  }
  if (deadlineAt != null) group.deadlineAt = Number(deadlineAt)
  if (settledAt != null) group.settledAt = Number(settledAt)
  if (settledBy != null) group.settledBy = toCallId(settledBy)
  if (continuedAt != null) group.continuedAt = Number(continuedAt)
  return group
}
