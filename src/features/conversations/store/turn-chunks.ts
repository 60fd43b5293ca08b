import { sql } from 'kysely'
import type { ConversationStore } from '../../../core/conversations/conversation-store.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toJsonText, toStoredText } from '../../../store/log/stored-text.ts'
import { parseConversationId, toConversationUuid } from './conversation-rows.ts'

type TurnChunks = Pick<ConversationStore, 'appendChunks' | 'readChunks' | 'removeChunks'>

/** Streamed chunks of a turn, so that others can follow along and readers can resume. */
export function createTurnChunks(engine: Engine): TurnChunks {
  return {
    appendChunks: ({ tenant, turnId, attempt }, from, chunks) =>
      guarded(async () => {
        if (chunks.length === 0) return true
        const place = [toStoredText(tenant), toConversationUuid(turnId)] as const
        // A worker that lost the turn must not mix into the stream of its new owner.
        const { rows } = await sql`insert into turn_chunks
            (tenant, turn_id, first, last, chunks, written_ms)
          select ${place[0]}, ${place[1]}::uuid, ${from}::int, ${from + chunks.length - 1}::int,
            ${toJsonText(chunks)}, ${engine.now()}::bigint
          where exists (select from turns where tenant = ${place[0]} and id = ${place[1]}::uuid
            and attempt = ${attempt}::int)
          on conflict do nothing returning first`.execute(engine.db)
        engine.noteWrites(0)
        engine.announce()
        return rows.length > 0
      }),
    readChunks: (tenant, turnId, from) =>
      guarded(async () => {
        if (parseConversationId(turnId) === undefined) return []
        const rows = await engine.db
          .selectFrom('turn_chunks')
          .select(['first', 'chunks'])
          .where('tenant', '=', toStoredText(tenant))
          .where('turn_id', '=', toConversationUuid(turnId))
          .where('last', '>=', from)
          .orderBy('first')
          .execute()
        return rows.flatMap(({ first, chunks }) =>
          (JSON.parse(chunks) as JsonValue[]).slice(Math.max(0, from - first)),
        )
      }),
    removeChunks: (beforeMs, limit) =>
      guarded(async () => {
        const { rows } = await sql`delete from turn_chunks where ctid = any (array(
            select c.ctid from turn_chunks c join turns t on t.tenant = c.tenant and t.id = c.turn_id
            where c.written_ms < ${beforeMs}::bigint and t.settled_ms < ${beforeMs}::bigint
            limit ${limit})) returning first`.execute(engine.db)
        if (rows.length > 0) engine.noteWrites(rows.length)
        return rows.length
      }),
  }
}
