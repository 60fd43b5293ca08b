import type { Selectable } from 'kysely'
import type { CallError, Caller } from '../../../core/kernel/call.ts'
import type {
  Conversation,
  ConversationKind,
  StoredMessage,
  Turn,
  TurnBounds,
  TurnStatus,
  TurnUsage,
  WaitingPass,
} from '../../../core/conversations/conversation.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { parsePrincipal } from '../../../store/log/principal-text.ts'
import type { ConversationMessagesTable, ConversationsTable, TurnsTable } from '../tables.ts'

const idPattern = /^(?:conv|turn|file)_([0-9a-f]{32})$/

/** The uuid inside an id; undefined for anything else, which then finds nothing. */
export function parseConversationId(id: string): string | undefined {
  return idPattern.exec(id)?.[1]
}

/** The same for an id that we made ourselves. */
export function toConversationUuid(id: string): string {
  return parseConversationId(id) ?? ''
}

function toId(prefix: string, uuid: string): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`
}

export function toConversation(row: Selectable<ConversationsTable>): Conversation {
  return {
    id: toId('conv', row.id),
    tenant: row.tenant,
    agent: row.agent,
    principal: parsePrincipal(row.principal),
    kind: row.kind as ConversationKind,
    ...(row.client_id !== null && { clientId: row.client_id }),
    ...(row.title !== null && { title: row.title }),
    ...(row.turn_id !== null && { turnId: toId('turn', row.turn_id) }),
    wireNames: JSON.parse(row.wire_names) as Record<string, string>,
    messages: row.messages,
    createdAt: new Date(row.created_ms).toISOString(),
    updatedAt: new Date(row.updated_ms).toISOString(),
  }
}

export function toMessage(row: Selectable<ConversationMessagesTable>): StoredMessage {
  return {
    id: row.id,
    role: row.role as StoredMessage['role'],
    parts: JSON.parse(row.parts) as JsonValue[],
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as JsonValue }),
    position: row.position,
    ...(row.turn_id !== null && { turnId: toId('turn', row.turn_id) }),
    createdAt: new Date(row.created_ms).toISOString(),
  }
}

export function toTurn(row: Selectable<TurnsTable>): Turn {
  return {
    id: toId('turn', row.id),
    tenant: row.tenant,
    conversationId: toId('conv', row.conversation_id),
    agent: row.agent,
    status: row.status as TurnStatus,
    caller: JSON.parse(row.caller) as Caller,
    bounds: JSON.parse(row.bounds) as TurnBounds,
    step: row.step,
    attempt: row.attempt,
    messageId: row.message_id,
    ...(row.waiting !== null && { waiting: JSON.parse(row.waiting) as WaitingPass }),
    usage: JSON.parse(row.usage) as TurnUsage,
    ...(row.model !== null && { model: row.model }),
    ...(row.error !== null && { error: JSON.parse(row.error) as CallError }),
    ...(row.parent_call_id !== null && { parentCallId: row.parent_call_id }),
    position: row.position,
    cancelRequested: row.cancel_requested,
    createdAt: new Date(row.created_ms).toISOString(),
    ...(row.settled_ms !== null && { settledAt: new Date(row.settled_ms).toISOString() }),
  }
}
