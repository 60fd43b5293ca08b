import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { parseIdempotencyKey } from './call-request.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import {
  conversation,
  conversationDetail,
  conversationKind,
  run,
  runRequest,
  turnStatus,
} from '../describe/conversation-schemas.ts'
import { count } from '../../../core/operations/query-fields.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'
import { idParam, slugParam } from '../request/route-params.ts'
import { onHangUp } from '../request/http-request.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const tag = 'Conversations'
const params = { id: 'The id of the conversation' }

const listConversations = defineRoute({
  method: 'get',
  path: '/api/v1/conversations',
  tag,
  summary: 'List conversations',
  description: "Newest first; your own, or with `audit.read` everybody's. Needs `agents.chat`.",
  query: z.strictObject({
    agent: shortText('Only with this agent').optional(),
    kind: conversationKind.optional(),
    own: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: '`true`: only your own, whatever you may read' }),
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(50, 500),
  }),
  answers: { 200: { description: 'A page of conversations', schema: pageOf(conversation) } },
  async handle({ door, caller, query: { own, ...query } }) {
    const isOwn = own === 'true'
    return json(200, await door.api.listConversations(caller, { ...query, isOwn }))
  },
})

const findConversation = defineRoute({
  method: 'get',
  path: '/api/v1/conversations/{id}',
  tag,
  summary: 'Read a conversation',
  description:
    'Messages in order, as the AI SDK holds them, and what waits for a person. `next` is the `after` of the next page.',
  params,
  query: z.strictObject({
    after: count('Messages after this place').optional(),
    limit: pageLimit(100, 1000),
  }),
  answers: { 200: { description: 'The conversation', schema: conversationDetail } },
  async handle({ door, caller, query, request }) {
    return json(200, await door.api.findConversation(caller, idParam(request), query))
  },
})

const deleteConversation = defineRoute({
  method: 'delete',
  path: '/api/v1/conversations/{id}',
  tag,
  summary: 'Delete a conversation',
  description: 'With its messages, runs and files; what was recorded of its calls stays.',
  params,
  answers: { 204: { description: 'It is gone' }, 409: { description: 'A turn is under way' } },
  async handle({ door, caller, request }) {
    await door.api.deleteConversation(caller, idParam(request))
    return empty(204)
  },
})

const readFile = defineRoute({
  method: 'get',
  path: '/api/v1/conversations/{id}/files/{file}',
  tag,
  summary: 'Read a file of a conversation',
  params: { ...params, file: 'The id of the file' },
  answers: { 200: { description: 'Its bytes', types: ['application/octet-stream'] } },
  async handle({ door, caller, request }) {
    const fileId = request.param('file')
    if (!isShortText(fileId)) throw new ToolError('not_found', 'There is no such file')
    const file = await door.api.readConversationFile(caller, idParam(request), fileId)
    // Somebody's upload is not our page: a browser saves it, and runs nothing of it.
    const headers = ['content-disposition', 'attachment']
    return { status: 200, type: file.mediaType, body: new Uint8Array(file.bytes), headers }
  },
})

const startRun = defineRoute({
  method: 'post',
  path: '/api/v1/agents/{slug}/runs',
  tag: 'Runs',
  summary: 'Set an agent a task',
  description:
    'Answers once it is stored; it runs on, also over a restart. Needs `agents.chat` and `tools.call`.',
  params: { slug: 'The agent' },
  headers: { 'Idempotency-Key': 'Asking again with the same key gives the run that it began.' },
  body: { isRequired: true, schema: runRequest },
  answers: { 202: { description: 'The run', schema: run } },
  async handle({ door, caller, body, request }) {
    const idempotencyKey = parseIdempotencyKey(request.header('idempotency-key'))
    const asked = idempotencyKey === undefined ? body : { ...body, idempotencyKey }
    const started = await door.api.startRun(caller, slugParam(request), asked)
    return json(202, started, ['location', `/api/v1/runs/${started.id}`])
  },
})

const listRuns = defineRoute({
  method: 'get',
  path: '/api/v1/runs',
  tag: 'Runs',
  summary: 'List runs',
  description: 'Every turn of an agent, chats as well, newest first.',
  query: z.strictObject({
    agent: shortText('Only of this agent').optional(),
    status: turnStatus.optional(),
    conversationId: shortText('Only of this conversation').optional(),
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(50, 500),
  }),
  answers: { 200: { description: 'A page of runs', schema: pageOf(run) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listRuns(caller, query))
  },
})

const findRun = defineRoute({
  method: 'get',
  path: '/api/v1/runs/{id}',
  tag: 'Runs',
  summary: 'Read a run',
  params: { id: 'The id of the run' },
  query: z.strictObject({
    wait: z.coerce.number().min(0).max(86_400).optional().meta({
      description: 'Seconds to wait for its end',
    }),
  }),
  answers: { 200: { description: 'The run', schema: run } },
  async handle({ door, caller, query, request }) {
    const gone = new AbortController()
    onHangUp(request, () => gone.abort())
    const waitMs = Math.min(query.wait ?? 0, door.limits.maxWaitSeconds) * 1000
    return json(
      200,
      await door.api.findRun(caller, idParam(request), { waitMs, signal: gone.signal }),
    )
  },
})

const cancelRun = defineRoute({
  method: 'post',
  path: '/api/v1/runs/{id}/cancel',
  tag: 'Runs',
  summary: 'Stop a run',
  description: 'With the calls that it waits for and the agents that it has sent out.',
  params: { id: 'The id of the run' },
  answers: { 200: { description: 'The run', schema: run } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.cancelRun(caller, idParam(request)))
  },
})

export const conversationRoutes: readonly Route[] = [
  listConversations,
  findConversation,
  deleteConversation,
  readFile,
  startRun,
  listRuns,
  findRun,
  cancelRun,
]
