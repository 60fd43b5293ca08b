import type { Caller } from '../../core/kernel/call.ts'
import type { ConversationApi } from '../../core/conversations/conversation-api.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'

/** Talking to agents needs `agents.chat`, whatever is asked; to have one work, `tools.call` too. */
export function createConversationAccess(api: ConversationApi): ConversationApi {
  const allow = (caller: Caller) => requirePermission(caller, 'agents.chat')
  // A turn is offered tools as its caller: without this it would fail once all is stored.
  const allowTurn = (caller: Caller) => {
    allow(caller)
    requirePermission(caller, 'tools.call')
  }
  return {
    async listChatAgents(caller, query) {
      allow(caller)
      return api.listChatAgents(caller, query)
    },
    async chat(caller, ...rest) {
      allowTurn(caller)
      return api.chat(caller, ...rest)
    },
    async resumeChat(caller, ...rest) {
      allow(caller)
      return api.resumeChat(caller, ...rest)
    },
    async listConversations(caller, query) {
      allow(caller)
      return api.listConversations(caller, query)
    },
    async findConversation(caller, ...rest) {
      allow(caller)
      return api.findConversation(caller, ...rest)
    },
    async deleteConversation(caller, id) {
      allow(caller)
      return api.deleteConversation(caller, id)
    },
    async readConversationFile(caller, ...rest) {
      allow(caller)
      return api.readConversationFile(caller, ...rest)
    },
    async startRun(caller, ...rest) {
      allowTurn(caller)
      return api.startRun(caller, ...rest)
    },
    async findRun(caller, ...rest) {
      allow(caller)
      return api.findRun(caller, ...rest)
    },
    async listRuns(caller, query) {
      allow(caller)
      return api.listRuns(caller, query)
    },
    async cancelRun(caller, id) {
      allow(caller)
      return api.cancelRun(caller, id)
    },
  }
}
