import type { Caller } from '../../core/call.ts'
import type { TalkApi } from '../../core/conversations/talk-api.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'

/** Talking to agents needs `agents.chat`, whatever is asked; to have one work, `tools.call` too. */
export function createTalkAccess(talk: TalkApi): TalkApi {
  const allow = (caller: Caller) => requirePermission(caller, 'agents.chat')
  // A turn is offered tools as its caller: without this it would fail once all is stored.
  const allowTurn = (caller: Caller) => {
    allow(caller)
    requirePermission(caller, 'tools.call')
  }
  return {
    async listTalkAgents(caller, query) {
      allow(caller)
      return talk.listTalkAgents(caller, query)
    },
    async chat(caller, ...rest) {
      allowTurn(caller)
      return talk.chat(caller, ...rest)
    },
    async resumeChat(caller, ...rest) {
      allow(caller)
      return talk.resumeChat(caller, ...rest)
    },
    async listConversations(caller, query) {
      allow(caller)
      return talk.listConversations(caller, query)
    },
    async findConversation(caller, ...rest) {
      allow(caller)
      return talk.findConversation(caller, ...rest)
    },
    async deleteConversation(caller, id) {
      allow(caller)
      return talk.deleteConversation(caller, id)
    },
    async readConversationFile(caller, ...rest) {
      allow(caller)
      return talk.readConversationFile(caller, ...rest)
    },
    async startRun(caller, ...rest) {
      allowTurn(caller)
      return talk.startRun(caller, ...rest)
    },
    async findRun(caller, ...rest) {
      allow(caller)
      return talk.findRun(caller, ...rest)
    },
    async listRuns(caller, query) {
      allow(caller)
      return talk.listRuns(caller, query)
    },
    async cancelRun(caller, id) {
      allow(caller)
      return talk.cancelRun(caller, id)
    },
  }
}
