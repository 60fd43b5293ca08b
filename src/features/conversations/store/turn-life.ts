import { sql } from 'kysely'
import type { Kysely, Transaction } from 'kysely'
import { noUsage } from '../../../core/conversations/conversation.ts'
import type {
  BeginResult,
  ConversationStore,
  TurnBegin,
} from '../../../core/conversations/conversation-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toPrincipalText } from '../../../store/log/principal-text.ts'
import {
  toJsonText,
  toStoredMsOrNull,
  toStoredText,
  toStoredTextOrNull,
} from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import { writeFiles } from './conversation-files.ts'
import { parseConversationId, toConversationUuid, toTurn } from './conversation-rows.ts'
import { toPage } from '../../../store/engine/page.ts'

type TurnLife = Pick<
  ConversationStore,
  'beginTurn' | 'findTurn' | 'listTurns' | 'listChildren' | 'requestCancel'
>

/** How turns come to be, and how they are found. */
export function createTurnLife(engine: Engine): TurnLife {
  return {
    beginTurn: (begin) => changeIn(engine, (db) => beginTurn(db, begin, engine.now())),
    findTurn: (tenant, id) =>
      guarded(async () => {
        const row = await findTurn(engine.db, tenant, id)
        return row && toTurn(row)
      }),
    listTurns: (tenant, query) => guarded(() => listTurns(engine, tenant, query)),
    listChildren: (tenant, callId) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('turns')
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('parent_call_id', '=', toStoredText(callId))
          .orderBy('position')
          .execute()
        return rows.map(toTurn)
      }),
    requestCancel: (tenant, turnId) =>
      guarded(async () => {
        await engine.db
          .updateTable('turns')
          .set({ cancel_requested: true })
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toConversationUuid(turnId))
          .where('settled_ms', 'is', null)
          .execute()
        engine.noteWrites(1)
        engine.announce()
      }),
  }
}

async function findTurn(db: Kysely<Tables>, tenant: string, id: string) {
  if (parseConversationId(id) === undefined) return undefined
  return db
    .selectFrom('turns')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toConversationUuid(id))
    .executeTakeFirst()
}

async function beginTurn(
  db: Transaction<Tables>,
  begin: TurnBegin,
  now: number,
): Promise<BeginResult> {
  const { turn, message } = begin
  const tenant = toStoredText(turn.tenant)
  const conversation = toConversationUuid(turn.conversationId)
  // Two that come together take turns here; the second finds the first one's.
  const held = await db
    .selectFrom('conversations')
    .select(['turn_id', 'messages', 'title'])
    .where('tenant', '=', tenant)
    .where('id', '=', conversation)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) return { kind: 'gone' }
  if (
    message !== undefined &&
    (await isKnown(db, { tenant, conversation, id: message.id, before: begin.replaceFrom }))
  ) {
    return { kind: 'repeated' }
  }
  if (held.turn_id !== null) {
    const busy = await findTurn(db, turn.tenant, `turn_${held.turn_id.replaceAll('-', '')}`)
    if (busy !== undefined) return { kind: 'busy', turn: toTurn(busy) }
  }
  await setAside(db, begin)
  await writeTurn(db, begin, now)
  await writeFiles(db, begin)
  await writeSaid(db, begin, { ...held, now })
  const place = { tenant: turn.tenant, sessionId: turn.conversationId, agent: turn.agent }
  await recordEvents(db, [{ ...place, ...begin.told }])
  return { kind: 'begun' }
}

async function setAside(db: Transaction<Tables>, { turn, replaceFrom }: TurnBegin): Promise<void> {
  if (replaceFrom === undefined) return
  const tenant = toStoredText(turn.tenant)
  const conversation = toConversationUuid(turn.conversationId)
  await db
    .updateTable('conversation_messages')
    .set({ is_set_aside: true })
    .where('tenant', '=', tenant)
    .where('conversation_id', '=', conversation)
    .where('position', '>=', replaceFrom)
    .execute()
  // Withdrawn messages must not live on in a summary.
  await db
    .updateTable('conversations')
    .set({ compaction: null })
    .where('tenant', '=', tenant)
    .where('id', '=', conversation)
    .where(sql<boolean>`(compaction::jsonb ->> 'upTo')::int >= ${replaceFrom}::int`)
    .execute()
}

async function writeSaid(
  db: Transaction<Tables>,
  { turn, message, title }: TurnBegin,
  held: { messages: number; title: string | null; now: number },
): Promise<void> {
  const tenant = toStoredText(turn.tenant)
  const conversation = toConversationUuid(turn.conversationId)
  const position = held.messages + 1
  if (message !== undefined) {
    await db
      .insertInto('conversation_messages')
      .values({
        tenant,
        conversation_id: conversation,
        position,
        id: toStoredText(message.id),
        role: message.role,
        parts: toJsonText(message.parts),
        metadata: message.metadata === undefined ? null : toJsonText(message.metadata),
        turn_id: toConversationUuid(turn.id),
        created_ms: held.now,
      })
      .execute()
  }
  await db
    .updateTable('conversations')
    .set({
      turn_id: toConversationUuid(turn.id),
      messages: message === undefined ? held.messages : position,
      title: held.title ?? toStoredTextOrNull(title),
      updated_ms: held.now,
    })
    .where('tenant', '=', tenant)
    .where('id', '=', conversation)
    .execute()
}

async function isKnown(
  db: Transaction<Tables>,
  of: { tenant: string; conversation: string; id: string; before?: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('conversation_messages')
    .select(sql`1`.as('one'))
    .where('tenant', '=', of.tenant)
    .where('conversation_id', '=', of.conversation)
    .where('id', '=', toStoredText(of.id))
    .where('is_set_aside', '=', false)
    .where('position', '<', of.before ?? 2_147_483_647)
    .executeTakeFirst()
  return row !== undefined
}

async function writeTurn(db: Transaction<Tables>, { turn }: TurnBegin, now: number): Promise<void> {
  await db
    .insertInto('turns')
    .values({
      tenant: toStoredText(turn.tenant),
      id: toConversationUuid(turn.id),
      conversation_id: toConversationUuid(turn.conversationId),
      agent: toStoredText(turn.agent),
      principal: toPrincipalText(turn.caller.principal),
      status: 'queued',
      caller: toJsonText(turn.caller),
      bounds: toJsonText(turn.bounds),
      lease_ms: 0,
      message_id: toStoredText(turn.messageId),
      group_id: null,
      waiting: null,
      usage: toJsonText(noUsage),
      model: null,
      error: null,
      parent_call_id: toStoredTextOrNull(turn.parentCallId),
      position: turn.position,
      deadline_ms: toStoredMsOrNull(turn.bounds.deadlineAt),
      reported_ms: null,
      report_lease_ms: null,
      created_ms: now,
      settled_ms: null,
    })
    .execute()
}

async function listTurns(
  engine: Engine,
  tenant: string,
  {
    principal,
    agent,
    status,
    conversationId,
    after,
    limit,
  }: Parameters<ConversationStore['listTurns']>[1],
): ReturnType<ConversationStore['listTurns']> {
  const from = after === undefined ? undefined : parseConversationId(after)
  if (after !== undefined && from === undefined) return { items: [] }
  let query = engine.db
    .selectFrom('turns')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('conversations')
        .select('title')
        .whereRef('conversations.tenant', '=', 'turns.tenant')
        .whereRef('conversations.id', '=', 'turns.conversation_id')
        .as('title'),
    )
    .where('tenant', '=', toStoredText(tenant))
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (principal !== undefined) query = query.where('principal', '=', toPrincipalText(principal))
  if (agent !== undefined) query = query.where('agent', '=', toStoredText(agent))
  if (status !== undefined) query = query.where('status', '=', status)
  if (conversationId !== undefined) {
    const uuid = parseConversationId(conversationId)
    if (uuid === undefined) return { items: [] }
    query = query.where('conversation_id', '=', uuid)
  }
  if (from !== undefined) query = query.where('id', '<', from)
  const rows = (await query.execute()).map(({ title, ...row }) => ({
    ...toTurn(row),
    ...(title !== null && { title }),
  }))
  return toPage(rows, limit, ({ id }) => id)
}
