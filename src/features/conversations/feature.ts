import type { ChatDoor, ConversationApi } from '../../core/conversations/conversation-api.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { conversationCapabilities } from '../../core/pipeline/capabilities/conversation.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { conversationOperations } from './operations.ts'
import { runOperations } from './run-operations.ts'
import { streamSweep } from './stream-sweep.ts'

/** Conversations with agents, and their runs. `src/agents` runs the turns. */
export const conversationsFeature: Feature = {
  name: 'conversations',
  open: ({ agents: { conversations, conversationFor }, store }) => ({
    operations: openOperations({ ...conversationOperations, ...runOperations }, { conversations }),
    door: createChatDoor(conversations),
    capabilities: conversationCapabilities(conversationFor),
    sweeps: [streamSweep(store)],
  }),
}

function createChatDoor(conversations: Pick<ConversationApi, keyof ChatDoor>): ChatDoor {
  return {
    async chat(caller, ...rest) {
      requirePermission(caller, 'agents.chat')
      // Turns get their tools with the caller's permissions; without this one, a turn would fail after it was stored.
      requirePermission(caller, 'tools.call')
      return conversations.chat(caller, ...rest)
    },
    async resumeChat(caller, ...rest) {
      requirePermission(caller, 'agents.chat')
      return conversations.resumeChat(caller, ...rest)
    },
  }
}
