import type {
  Compaction,
  ConversationStore,
} from '../../../core/conversations/conversation-store.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toJsonText, toStoredText } from '../../../store/log/stored-text.ts'
import { parseConversationId, toMessage, toConversationUuid } from './conversation-rows.ts'

type ConversationMessages = Pick<
  ConversationStore,
  'listMessages' | 'findMessage' | 'findCompaction' | 'saveCompaction'
>

/** The messages of a conversation, and the summary that replaces old ones. */
export function createConversationMessages(engine: Engine): ConversationMessages {
  const isId = (id: string) => parseConversationId(id) !== undefined
  return {
    listMessages: (tenant, id, { after = 0, limit }) =>
      guarded(async () => {
        if (!isId(id)) return []
        const rows = await engine.db
          .selectFrom('conversation_messages')
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('conversation_id', '=', toConversationUuid(id))
          .where('is_set_aside', '=', false)
          .where('position', '>', after)
          .orderBy('position')
          .limit(limit)
          .execute()
        return rows.map(toMessage)
      }),
    findMessage: (tenant, id, messageId) =>
      guarded(async () => {
        if (!isId(id)) return undefined
        const row = await engine.db
          .selectFrom('conversation_messages')
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('conversation_id', '=', toConversationUuid(id))
          .where('id', '=', toStoredText(messageId))
          .where('is_set_aside', '=', false)
          .executeTakeFirst()
        return row && toMessage(row)
      }),
    findCompaction: (tenant, id) =>
      guarded(async () => {
        if (!isId(id)) return undefined
        const row = await engine.db
          .selectFrom('conversations')
          .select('compaction')
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toConversationUuid(id))
          .executeTakeFirst()
        return row?.compaction == null ? undefined : (JSON.parse(row.compaction) as Compaction)
      }),
    saveCompaction: (tenant, id, compaction) =>
      guarded(async () => {
        await engine.db
          .updateTable('conversations')
          .set({ compaction: toJsonText(compaction) })
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toConversationUuid(id))
          .execute()
      }),
  }
}
