import { storeTime } from '../../../core/kernel/ids.ts'
import type { Transaction } from 'kysely'
import type {
  ConversationStore,
  TurnBegin,
} from '../../../core/conversations/conversation-store.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import { parseConversationId, toConversationUuid } from './conversation-rows.ts'

type ConversationFiles = Pick<ConversationStore, 'readFile' | 'listFiles'>

/** Files of a conversation's messages. */
export function createConversationFiles(engine: Engine): ConversationFiles {
  return {
    readFile: (tenant, conversationId, id) =>
      guarded(async () => {
        if (
          parseConversationId(conversationId) === undefined ||
          parseConversationId(id) === undefined
        ) {
          return undefined
        }
        const row = await engine.db
          .selectFrom('conversation_files')
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('conversation_id', '=', toConversationUuid(conversationId))
          .where('id', '=', toConversationUuid(id))
          .executeTakeFirst()
        if (row === undefined) return undefined
        const name = row.name === null ? {} : { name: row.name }
        return { id, mediaType: row.media_type, ...name, bytes: new Uint8Array(row.bytes) }
      }),
    listFiles: (tenant, conversationId) =>
      guarded(async () => {
        if (parseConversationId(conversationId) === undefined) return []
        const rows = await engine.db
          .selectFrom('conversation_files')
          .select([
            'id',
            'media_type',
            'name',
            (db) => db.fn<number>('length', ['bytes']).as('size'),
          ])
          .where('tenant', '=', toStoredText(tenant))
          .where('conversation_id', '=', toConversationUuid(conversationId))
          .orderBy('id')
          .execute()
        return rows.map(({ id, media_type, name, size }) => ({
          id: `file_${id.replaceAll('-', '')}`,
          mediaType: media_type,
          ...(name !== null && { name }),
          size,
        }))
      }),
  }
}

/** In the transaction of the turn that they came with. */
export async function writeFiles(
  db: Transaction<Tables>,
  { turn, files = [] }: Pick<TurnBegin, 'turn' | 'files'>,
): Promise<void> {
  for (const file of files) {
    await db
      .insertInto('conversation_files')
      .values({
        tenant: toStoredText(turn.tenant),
        conversation_id: toConversationUuid(turn.conversationId),
        id: toConversationUuid(file.id),
        media_type: toStoredText(file.mediaType),
        name: toStoredTextOrNull(file.name),
        bytes: file.bytes,
        created_ms: storeTime(),
      })
      .execute()
  }
}
