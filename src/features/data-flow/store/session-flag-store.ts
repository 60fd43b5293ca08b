import { storeTime } from '../../../core/kernel/ids.ts'
import type { Selectable, Transaction } from 'kysely'
import type { Principal } from '../../../core/kernel/call.ts'
import type { FlagRaise, SessionFlag, SessionFlagStore } from '../../../core/flow/session-flags.ts'
import type { DataKind } from '../../../core/kernel/tool-labels.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine, Statement, TextRow } from '../../../store/engine/engine.ts'
import { keepReads } from '../../../store/log/kept-reads.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import type { SessionFlagsTable } from '../tables.ts'

/** Flags of sessions on whichever engine. */
export function createSessionFlagStore(engine: Engine): SessionFlagStore {
  const { read, change } = keepReads(engine, (tenant, key) =>
    guarded(async () => {
      const rows = await engine.run(readFlags, [toStoredText(tenant), toStoredText(key)])
      return rows.map(fromText)
    }),
  )
  return {
    read,
    raise: (raise) =>
      change(raise.tenant, raise.key, () =>
        changeIn(engine, (transaction) => raiseIn(transaction, raise)),
      ),
    clear: (tenant, key, by) =>
      change(tenant, key, () =>
        changeIn(engine, (transaction) => clearIn(transaction, { tenant, key, by })),
      ),
  }
}

/** Prepared: every call with an effect outside asks it. */
const readFlags: Statement = {
  name: 'read_session_flags',
  text: `select kind, call_id, tool, raised_ms::text from session_flags
    where tenant = $1 and session_key = $2 order by raised_ms, kind`,
}

function fromText([kind, callId, tool, raisedMs]: TextRow): SessionFlag {
  return toFlag({
    kind: kind ?? '',
    call_id: callId ?? '',
    tool: tool ?? '',
    raised_ms: Number(raisedMs),
  })
}

async function raiseIn(transaction: Transaction<Tables>, raise: FlagRaise): Promise<void> {
  const rows = await transaction
    .insertInto('session_flags')
    .values(
      raise.kinds.map((kind) => ({
        tenant: toStoredText(raise.tenant),
        session_key: toStoredText(raise.key),
        kind,
        call_id: raise.callId,
        tool: raise.tool,
        raised_ms: raise.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('kind')
    .execute()
  const { tenant, by: principal, sessionId, agent, at, callId, tool } = raise
  await recordEvents(
    transaction,
    rows.map(({ kind }) => {
      const data = { kind: kind as DataKind, callId, tool }
      const event = { type: 'session.flagged', at, data } as const
      return { tenant, principal, sessionId, agent, event }
    }),
  )
}

async function clearIn(
  transaction: Transaction<Tables>,
  { tenant, key, by }: { tenant: string; key: string; by: Principal },
): Promise<SessionFlag[]> {
  const rows = await transaction
    .deleteFrom('session_flags')
    .where('tenant', '=', toStoredText(tenant))
    .where('session_key', '=', toStoredText(key))
    .returningAll()
    .execute()
  const flags = rows
    .toSorted((one, other) => one.raised_ms - other.raised_ms || (one.kind < other.kind ? -1 : 1))
    .map(toFlag)
  if (flags.length === 0) return flags
  const sessionId = key.startsWith('session:') ? key.slice('session:'.length) : undefined
  const data = { flags: flags.map((flag) => ({ ...flag })) }
  const event = { type: 'session.cleared', at: storeTime(), data } as const
  await recordEvents(transaction, [{ tenant, principal: by, sessionId, event }])
  return flags
}

function toFlag(row: Omit<Selectable<SessionFlagsTable>, 'tenant' | 'session_key'>): SessionFlag {
  return {
    kind: row.kind as DataKind,
    callId: row.call_id,
    tool: row.tool,
    raisedAt: new Date(row.raised_ms).toISOString(),
  }
}
