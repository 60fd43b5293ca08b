import type { TableSpec } from '../../core/kernel/views/table-spec.ts'
import type { Generated } from 'kysely'

export interface ConversationsTable {
  tenant: string
  id: string
  agent: string
  /** `kind:id` */
  principal: string
  kind: string
  client_id: string | null
  title: string | null
  /** The turn under way. */
  turn_id: string | null
  wire_names: Generated<string>
  state: Generated<string>
  compaction: string | null
  messages: Generated<number>
  created_ms: number
  updated_ms: number
}

export interface ConversationMessagesTable {
  tenant: string
  conversation_id: string
  position: number
  id: string
  role: string
  parts: string
  metadata: string | null
  turn_id: string | null
  is_set_aside: Generated<boolean>
  created_ms: number
}

export interface TurnsTable {
  tenant: string
  id: string
  conversation_id: string
  agent: string
  principal: string
  status: string
  caller: string
  bounds: string
  step: Generated<number>
  attempt: Generated<number>
  lease_ms: number | null
  message_id: string
  /** The group that it waits for. */
  group_id: string | null
  waiting: string | null
  usage: string
  model: string | null
  error: string | null
  parent_call_id: string | null
  position: Generated<number>
  cancel_requested: Generated<boolean>
  deadline_ms: number | null
  reported_ms: number | null
  report_lease_ms: number | null
  created_ms: number
  settled_ms: number | null
}

export interface TurnChunksTable {
  tenant: string
  turn_id: string
  first: number
  last: number
  chunks: string
  written_ms: number
}

export interface ConversationFilesTable {
  tenant: string
  conversation_id: string
  id: string
  media_type: string
  name: string | null
  bytes: Uint8Array
  created_ms: number
}

/** Conversations and turns. */
export interface ConversationTables {
  conversations: ConversationsTable
  conversation_messages: ConversationMessagesTable
  turns: TurnsTable
  turn_chunks: TurnChunksTable
  conversation_files: ConversationFilesTable
}

export const conversationTables: readonly TableSpec<keyof ConversationTables>[] = [
  { name: 'conversation_files', key: ['tenant', 'conversation_id', 'id'], page: 2 },
  { name: 'conversation_messages', key: ['tenant', 'conversation_id', 'position'], page: 200 },
  { name: 'turn_chunks', key: ['tenant', 'turn_id', 'first'], page: 200 },
  { name: 'turns', key: ['tenant', 'id'], page: 500 },
  { name: 'conversations', key: ['tenant', 'id'], page: 500 },
]
