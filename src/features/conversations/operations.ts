import { z } from 'zod'
import type {
  ConversationApi,
  ConversationFile,
} from '../../core/conversations/conversation-api.ts'
import type { Conversation } from '../../core/conversations/conversation.ts'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { count } from '../../core/operations/query-fields.ts'
import { chatAgent, conversation, conversationDetail, conversationKind } from './schemas.ts'

/** The dependencies of the operations on conversations and runs. */
export interface ConversationParts {
  conversations: ConversationApi
}

const define = operationsOf<ConversationParts>('Conversations')
const params = { id: 'The id of the conversation' }
const after = shortText('The `next` of the previous page').optional()

const listChatAgents = define({
  http: 'GET /api/v1/chat/agents',
  summary: 'List the agents you can chat with',
  description: 'By name. Agents that cannot answer now have the reason.',
  needs: 'agents.chat',
  agents: 'own',
  query: z.strictObject({ after, limit: pageLimit(50, 200) }),
  answer: { description: 'A page of agents', schema: pageOf(chatAgent) },
  run: async (query, { caller, parts }) => parts.conversations.listChatAgents(caller, query),
})

const listConversations = define({
  http: 'GET /api/v1/conversations',
  summary: 'List conversations',
  description: "Newest first; your own, or with `audit.read` everybody's.",
  needs: 'agents.chat',
  agents: 'own',
  query: z.strictObject({
    agent: shortText('Only with this agent').optional(),
    kind: conversationKind.optional(),
    own: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: '`true`: only your own, even if you may read others' }),
    after,
    limit: pageLimit(50, 500),
  }),
  answer: {
    description: 'A page of conversations',
    schema: pageOf(conversation as z.ZodType<Conversation>),
  },
  run: async ({ own, ...query }, { caller, parts }) =>
    parts.conversations.listConversations(caller, { ...query, isOwn: own === 'true' }),
})

const findConversation = define({
  http: 'GET /api/v1/conversations/{id}',
  summary: 'Read a conversation',
  description:
    "Messages in order, in the AI SDK's format, and pending approvals. `next` is the `after` of the next page.",
  needs: 'agents.chat',
  agents: 'own',
  params,
  query: z.strictObject({
    after: count('Messages after this place').optional(),
    limit: pageLimit(100, 1000),
  }),
  answer: {
    description: 'The conversation',
    schema: conversationDetail,
  },
  run: async ({ id, ...query }, { caller, parts }) =>
    parts.conversations.findConversation(caller, id, query),
})

const deleteConversation = define({
  http: 'DELETE /api/v1/conversations/{id}',
  summary: 'Delete a conversation',
  description: 'Also deletes its messages, runs and files. The records of its calls are kept.',
  needs: 'agents.chat',
  agents: 'own',
  params,
  refusals: { 409: 'A turn is under way' },
  run: async ({ id }, { caller, parts }) => parts.conversations.deleteConversation(caller, id),
})

const readConversationFile = define({
  http: 'GET /api/v1/conversations/{id}/files/{file}',
  summary: 'Read a file of a conversation',
  needs: 'agents.chat',
  agents: 'own',
  params: { ...params, file: 'The id of the file' },
  answer: {
    description: 'Its bytes',
    schema: z.custom<ConversationFile>(),
    stream: { types: ['application/octet-stream'] },
  },
  run: async ({ id, file }, { caller, parts }) =>
    parts.conversations.readConversationFile(caller, id, file),
})

/** Everything that can be done with conversations, by library method. */
export const conversationOperations = {
  listChatAgents,
  listConversations,
  findConversation,
  deleteConversation,
  readConversationFile,
}
