import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { ConversationStore } from '../../../core/conversations/conversation-store.ts'
import type { EventEntry } from '../../../core/events/event.ts'
import type { Tables } from '../../../store/tables.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toPrincipalText } from '../../../store/log/principal-text.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { createConversationFiles } from './conversation-files.ts'
import { createConversationMessages } from './conversation-messages.ts'
import { createConversationState } from './conversation-state.ts'
import { parseConversationId, toConversation, toConversationUuid } from './conversation-rows.ts'
import { createTurnChunks } from './turn-chunks.ts'
import { createTurnLife } from './turn-life.ts'
import { createTurnWork } from './turn-work.ts'
import { toPage } from '../../../store/engine/page.ts'

type Conversations = Pick<ConversationStore, 'open' | 'find' | 'findByClient' | 'list' | 'remove'>

/** Conversations and turns, on whichever engine. */
export function createConversationStore(engine: Engine): ConversationStore {
  return {
    ...createConversations(engine),
    ...createConversationMessages(engine),
    ...createConversationFiles(engine),
    ...createTurnLife(engine),
    ...createTurnWork(engine),
    ...createTurnChunks(engine),
    ...createConversationState(engine),
  }
}

function createConversations(engine: Engine): Conversations {
  const at = (tenant: string, id: string) =>
    engine.db
      .selectFrom('conversations')
      .selectAll()
      .where('tenant', '=', toStoredText(tenant))
      .where('id', '=', toConversationUuid(id))
  const isId = (id: string) => parseConversationId(id) !== undefined
  return {
    open: (draft) => guarded(() => open(engine, draft)),
    find: (tenant, id) =>
      guarded(async () => {
        const row = isId(id) ? await at(tenant, id).executeTakeFirst() : undefined
        return row && toConversation(row)
      }),
    findByClient: (tenant, of) =>
      guarded(async () => {
        const row = await byClient(engine, tenant, of).executeTakeFirst()
        return row && toConversation(row)
      }),
    list: (tenant, query) => guarded(() => list(engine, tenant, query)),
    remove: (tenant, id, told) => changeIn(engine, (db) => remove(db, { tenant, id, told })),
  }
}

async function open(
  engine: Engine,
  draft: Parameters<ConversationStore['open']>[0],
): ReturnType<ConversationStore['open']> {
  const nowMs = engine.now()
  const row = await engine.db
    .insertInto('conversations')
    .values({
      tenant: toStoredText(draft.tenant),
      id: toConversationUuid(draft.id),
      agent: toStoredText(draft.agent),
      principal: toPrincipalText(draft.principal),
      kind: draft.kind,
      client_id: toStoredTextOrNull(draft.clientId),
      title: null,
      turn_id: null,
      compaction: null,
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined) return toConversation(row)
  const { clientId } = draft
  const known =
    clientId === undefined
      ? engine.db
          .selectFrom('conversations')
          .selectAll()
          .where('tenant', '=', toStoredText(draft.tenant))
          .where('id', '=', toConversationUuid(draft.id))
      : byClient(engine, draft.tenant, { ...draft, clientId })
  return toConversation(await known.executeTakeFirstOrThrow())
}

function byClient(
  engine: Engine,
  tenant: string,
  of: Parameters<ConversationStore['findByClient']>[1],
) {
  return engine.db
    .selectFrom('conversations')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('agent', '=', toStoredText(of.agent))
    .where('principal', '=', toPrincipalText(of.principal))
    .where('client_id', '=', toStoredText(of.clientId))
}

async function list(
  engine: Engine,
  tenant: string,
  { principal, agent, kinds, after, limit }: Parameters<ConversationStore['list']>[1],
): ReturnType<ConversationStore['list']> {
  const from = after === undefined ? undefined : parseConversationId(after)
  if (after !== undefined && from === undefined) return { items: [] }
  let query = engine.db
    .selectFrom('conversations')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (principal !== undefined) query = query.where('principal', '=', toPrincipalText(principal))
  if (agent !== undefined) query = query.where('agent', '=', toStoredText(agent))
  if (kinds !== undefined) query = query.where('kind', 'in', [...kinds])
  if (from !== undefined) query = query.where('id', '<', from)
  const rows = (await query.execute()).map(toConversation)
  return toPage(rows, limit, ({ id }) => id)
}

async function remove(
  db: Transaction<Tables>,
  { tenant, id, told }: { tenant: string; id: string; told: EventEntry },
): Promise<boolean> {
  const uuid = parseConversationId(id)
  if (uuid === undefined) return false
  const own = toStoredText(tenant)
  const gone = await db
    .deleteFrom('conversations')
    .where('tenant', '=', own)
    .where('id', '=', uuid)
    .where('turn_id', 'is', null)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) return false
  await sql`delete from turn_chunks where tenant = ${own} and turn_id in
    (select id from turns where tenant = ${own} and conversation_id = ${uuid}::uuid)`.execute(db)
  for (const table of ['turns', 'conversation_messages', 'conversation_files'] as const) {
    await db
      .deleteFrom(table)
      .where('tenant', '=', own)
      .where('conversation_id', '=', uuid)
      .execute()
  }
  await recordEvents(db, [{ tenant, sessionId: id, ...told }])
  return true
}
