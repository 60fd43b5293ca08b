import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type {
  ConversationStore,
  TurnClaim,
  TurnEnd,
  TurnLease,
  TurnStep,
} from '../../../core/conversations/conversation-store.ts'
import type { WaitingPass } from '../../../core/conversations/conversation.ts'
import type { EventEntry } from '../../../core/events/event.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { nowMs } from '../../../store/engine/now-ms.ts'
import { toJsonText, toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { isOfActive } from '../../../store/log/active-tenants.ts'
import type { Tables } from '../../../store/tables.ts'
import type { TurnsTable } from '../tables.ts'
import { parseConversationId, toConversationUuid, toTurn } from './conversation-rows.ts'

type TurnWork = Pick<
  ConversationStore,
  | 'claimTurns'
  | 'resumeTurn'
  | 'keepTurn'
  | 'saveStep'
  | 'waitTurn'
  | 'releaseTurn'
  | 'yieldTurn'
  | 'endTurn'
  | 'claimStopped'
  | 'claimReports'
  | 'markReported'
>

type Row = Selectable<TurnsTable>

const ofActive = sql.raw(isOfActive)

/** Working on turns: one node at a time, fenced by the attempt. Leases go by the database's clock. */
export function createTurnWork(engine: Engine): TurnWork {
  const change = <T>(work: (db: Transaction<Tables>) => Promise<T>) => changeIn(engine, work)
  const at = (db: Transaction<Tables>): Writing => ({ db, now: engine.now() })
  return {
    claimTurns: (query) => guarded(() => claimTurns(engine, query)),
    resumeTurn: (tenant, turnId, from) =>
      guarded(async () => {
        const { rows } = await sql<Row>`update turns set status = 'running',
            attempt = attempt + 1, lease_ms = ${nowMs(engine)} + ${from.leaseMs}::bigint
          where tenant = ${toStoredText(tenant)} and id = ${toConversationUuid(turnId)}::uuid
            and status = 'waiting' and group_id = ${from.groupId}
          returning *`.execute(engine.db)
        if (rows.length > 0) engine.noteWrites(1)
        return rows[0] && toTurn(rows[0])
      }),
    keepTurn: (lease, leaseMs) =>
      guarded(async () => {
        const { rows } = await sql<Pick<Row, 'cancel_requested'>>`update turns
          set lease_ms = ${nowMs(engine)} + ${leaseMs}::bigint where ${isHeld(lease)}
          returning cancel_requested`.execute(engine.db)
        engine.noteWrites(1)
        return rows[0] && { cancelRequested: rows[0].cancel_requested }
      }),
    saveStep: (lease, step) => change((db) => saveStep(at(db), lease, step)),
    waitTurn: (lease, step, waiting) => change((db) => waitTurn(at(db), lease, { step, waiting })),
    releaseTurn: (lease) =>
      guarded(async () => {
        const { rows } = await sql`update turns set lease_ms = null
          where ${isHeld(lease)} and status = 'waiting' returning id`.execute(engine.db)
        return rows.length > 0
      }),
    yieldTurn: (lease, usage) =>
      guarded(async () => {
        await sql`update turns set lease_ms = 0, usage = ${toJsonText(usage)}
          where ${isHeld(lease)}`.execute(engine.db)
        engine.announce()
      }),
    endTurn: (lease, step, end) => change((db) => endTurn(at(db), lease, { step, end })),
    claimStopped: ({ leaseMs, limit }) =>
      guarded(async () => {
        const { rows } = await sql<Row>`with due as (select tenant, id from turns
            where status = 'waiting' and lease_ms is null and ${ofActive}
              and (cancel_requested or deadline_ms < ${nowMs(engine)})
            limit ${limit} for update skip locked)
          update turns t set attempt = t.attempt + 1, status = 'running',
            lease_ms = ${nowMs(engine)} + ${leaseMs}::bigint
          from due where t.tenant = due.tenant and t.id = due.id returning t.*`.execute(engine.db)
        if (rows.length > 0) engine.noteWrites(rows.length)
        return rows.map(toTurn)
      }),
    claimReports: (query) => guarded(() => claimReports(engine, query)),
    markReported: (tenant, callId) =>
      guarded(async () => {
        await sql`update turns set reported_ms = ${nowMs(engine)} where tenant = ${toStoredText(tenant)}
          and parent_call_id = ${toStoredText(callId)}`.execute(engine.db)
      }),
  }
}

/** A transaction, and the time of what it writes. */
interface Writing {
  db: Transaction<Tables>
  now: number
}

function isHeld({ tenant, turnId, attempt }: TurnLease) {
  return sql<boolean>`tenant = ${toStoredText(tenant)} and id = ${toConversationUuid(turnId)}::uuid
    and attempt = ${attempt}::int and settled_ms is null`
}

async function claimTurns(engine: Engine, { leaseMs, limit, turnId, except = [] }: TurnClaim) {
  const others =
    except.length === 0 ? sql`true` : sql`tenant not in (${sql.join(except.map(toStoredText))})`
  const named =
    turnId === undefined ? sql`true` : sql`id = ${parseConversationId(turnId) ?? null}::uuid`
  const { rows } = await sql<Row>`with due as (select tenant, id from turns
      where status in ('queued', 'running', 'waiting') and lease_ms <= ${nowMs(engine)}
        and ${named} and ${others} and ${ofActive}
      order by lease_ms, id limit ${limit} for update skip locked)
    update turns t set attempt = t.attempt + 1, lease_ms = ${nowMs(engine)} + ${leaseMs}::bigint,
      status = case when t.status = 'queued' then 'running' else t.status end
    from due where t.tenant = due.tenant and t.id = due.id returning t.*`.execute(engine.db)
  if (rows.length > 0) engine.noteWrites(rows.length)
  return rows.map(toTurn)
}

async function claimReports(
  engine: Engine,
  { leaseMs, limit, callId }: { leaseMs: number; limit: number; callId?: string },
) {
  const named = callId === undefined ? sql`true` : sql`parent_call_id = ${callId}`
  const { rows } = await sql<Row>`with due as (select tenant, id from turns
      where parent_call_id is not null and settled_ms is not null and reported_ms is null
        and (report_lease_ms is null or report_lease_ms <= ${nowMs(engine)}) and ${named} and ${ofActive}
      order by settled_ms limit ${limit} for update skip locked)
    update turns t set report_lease_ms = ${nowMs(engine)} + ${leaseMs}::bigint
    from due where t.tenant = due.tenant and t.id = due.id returning t.*`.execute(engine.db)
  if (rows.length > 0) engine.noteWrites(rows.length)
  return rows.map(toTurn)
}

async function saveStep(
  writing: Writing,
  lease: TurnLease,
  { status = 'running', ...step }: TurnStep & { status?: 'waiting' | 'running' },
): Promise<boolean> {
  const { rows } = await sql<Row>`update turns set step = ${step.step}::int,
      usage = ${toJsonText(step.usage)}, model = ${toStoredTextOrNull(step.model)}::text,
      status = ${status}, group_id = null,
      waiting = ${step.pass === undefined ? null : toJsonText(step.pass)}::text
    where ${isHeld(lease)} and status in ('running', 'waiting') returning *`.execute(writing.db)
  const row = rows[0]
  if (row === undefined) return false
  await writeMessage(writing, row, step)
  return true
}

async function waitTurn(
  writing: Writing,
  lease: TurnLease,
  { step, waiting }: { step: TurnStep; waiting: WaitingPass },
): Promise<boolean> {
  if (!(await saveStep(writing, lease, { ...step, status: 'waiting' }))) return false
  const { rows } = await sql<Row>`update turns set waiting = ${toJsonText(waiting)},
    group_id = ${waiting.groupId} where ${isHeld(lease)} returning *`.execute(writing.db)
  if (rows[0] !== undefined && step.told !== undefined)
    await recordEventOf(writing.db, rows[0], step.told)
  return true
}

async function endTurn(
  writing: Writing,
  lease: TurnLease,
  { step, end }: { step: TurnStep; end: TurnEnd },
): Promise<boolean> {
  const { db, now } = writing
  const { rows } = await sql<Row>`update turns set status = ${end.status}, lease_ms = null,
      step = ${step.step}::int, usage = ${toJsonText(step.usage)}, group_id = null, waiting = null,
      model = ${toStoredTextOrNull(step.model)}::text, settled_ms = ${now}::bigint,
      error = ${end.error === undefined ? null : toJsonText(end.error)}::text
    where ${isHeld(lease)} returning *`.execute(db)
  const row = rows[0]
  if (row === undefined) return false
  if (step.message.parts.length > 0) await writeMessage(writing, row, step)
  await sql`update conversations set turn_id = null, updated_ms = ${now}::bigint
    where tenant = ${row.tenant} and id = ${row.conversation_id}::uuid
      and turn_id = ${row.id}::uuid`.execute(db)
  await recordEventOf(db, row, end.told)
  return true
}

async function recordEventOf(db: Transaction<Tables>, row: Row, told: EventEntry): Promise<void> {
  const place = { tenant: row.tenant, sessionId: toTurn(row).conversationId, agent: row.agent }
  await recordEvents(db, [{ ...place, ...told }])
}

/** Writes the turn's message at its place, new or changed. */
async function writeMessage({ db, now }: Writing, row: Row, step: TurnStep): Promise<void> {
  const { message, wireNames } = step
  const place = { tenant: row.tenant, conversation: row.conversation_id }
  const parts = toJsonText(message.parts)
  const metadata = message.metadata === undefined ? null : toJsonText(message.metadata)
  const updated = await db
    .updateTable('conversation_messages')
    .set({ parts, metadata })
    .where('tenant', '=', place.tenant)
    .where('conversation_id', '=', place.conversation)
    .where('id', '=', toStoredText(message.id))
    .where('is_set_aside', '=', false)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) {
    await sql`with c as (update conversations set messages = messages + 1
        where tenant = ${place.tenant} and id = ${place.conversation}::uuid returning messages)
      insert into conversation_messages
        (tenant, conversation_id, position, id, role, parts, metadata, turn_id, created_ms)
      select ${place.tenant}, ${place.conversation}::uuid, c.messages, ${toStoredText(message.id)},
        ${message.role}, ${parts}, ${metadata}::text, ${row.id}::uuid, ${now}::bigint
      from c`.execute(db)
  }
  if (wireNames === undefined) return
  await sql`update conversations
    set wire_names = (wire_names::jsonb || ${JSON.stringify(wireNames)}::jsonb)::text
    where tenant = ${place.tenant} and id = ${place.conversation}::uuid`.execute(db)
}

/** Ends every lease at once. Embedded, the earlier holders are dead processes. */
export async function releaseTurns(engine: Engine): Promise<void> {
  await engine.db.updateTable('turns').set({ lease_ms: 0 }).where('lease_ms', '>', 0).execute()
  await engine.db
    .updateTable('turns')
    .set({ report_lease_ms: null })
    .where('report_lease_ms', 'is not', null)
    .where('reported_ms', 'is', null)
    .execute()
}
