import { z } from '@hono/zod-openapi'
import { ToolError } from '../../../core/errors.ts'
import type { SessionFlag } from '../../../core/flow/session-flags.ts'
import { runtimes } from '../../../core/runtime.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { isShortText, shortText } from '../request/query-fields.ts'
import { idParam } from '../request/route-params.ts'
import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { explanation, pastDecision, sessionFlag } from '../describe/explain-schemas.ts'

const explainTools = defineRoute({
  method: 'get',
  path: '/api/v1/explain',
  tag: 'Access',
  summary: 'Say why each tool is visible or hidden',
  description:
    "Every tool with every layer's verdict, who made the rule and what would change it; the first layer that stops it decides. To look as somebody else, or at a session, the caller needs policy.read.",
  query: z.strictObject({
    agent: shortText('See as this agent').optional(),
    skill: shortText('With this skill of the agent in force').optional(),
    runtime: z.enum(runtimes).optional(),
    tool: shortText('Only this tool').optional(),
    as: shortText('See as `member:<id>`, `key:<id>` or `role:<name>`').optional(),
    session: shortText('With what this session has seen').optional(),
  }),
  answers: {
    200: {
      description: 'What each layer says',
      schema: z.object({
        items: z.array(explanation),
        flags: z
          .array(sessionFlag)
          .optional()
          .openapi({ description: 'Where a session was named: what it has seen' }),
      }),
    },
  },
  async handle({ door, caller, query: { session: sessionId, ...query } }) {
    const items = await door.api.explain(caller, { ...query, sessionId })
    if (sessionId === undefined) return json(200, { items })
    return json(200, { items, flags: await door.api.listSessionFlags(caller, sessionId) })
  },
})

const explainDecision = defineRoute({
  method: 'get',
  path: '/api/v1/explain/{id}',
  tag: 'Access',
  summary: 'Say why a request was refused or a call was decided as it was',
  description:
    'For the `refusalId` of a `tool_not_found` and for the id of a call: what was decided then, what would be decided now for the same caller, and the difference. Without policy.read it is 404.',
  params: { id: 'ref_… or call_…' },
  answers: { 200: { description: 'Then and now', schema: pastDecision } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.explainDecision(caller, idParam(request)))
  },
})

const session = { sessionId: 'The session, as calls name it' }

const listFlags = defineRoute({
  method: 'get',
  path: '/api/v1/session-flags/{sessionId}',
  tag: 'Access',
  summary: 'Say what a session has seen',
  description: 'Untrusted data, private data, and the call that brought each first.',
  params: session,
  answers: {
    200: { description: 'Its flags', schema: z.object({ items: z.array(sessionFlag) }) },
  },
  async handle({ door, caller, request }) {
    const sessionId = sessionIdOf(request)
    return flagsReply(sessionId, await door.api.listSessionFlags(caller, sessionId))
  },
})

const clearFlags = defineRoute({
  method: 'delete',
  path: '/api/v1/session-flags/{sessionId}',
  tag: 'Access',
  summary: 'Take the flags off a session',
  description: 'For somebody who has looked at what it has seen. On record with their name.',
  params: session,
  answers: {
    200: {
      description: 'The flags it had',
      schema: z.object({ items: z.array(sessionFlag) }),
    },
  },
  async handle({ door, caller, request }) {
    const sessionId = sessionIdOf(request)
    return flagsReply(sessionId, await door.api.clearSessionFlags(caller, sessionId))
  },
})

/** A session that has seen nothing, one of another tenant and one that never was are one answer. */
function flagsReply(sessionId: string, items: readonly SessionFlag[]): Reply {
  if (items.length > 0) return json(200, { items })
  throw new ToolError('not_found', `There are no flags on session ${JSON.stringify(sessionId)}`, {
    fix: 'It has seen neither untrusted nor private data, as far as labels say.',
  })
}

function sessionIdOf(request: HttpRequest): string {
  const given = request.param('sessionId')
  if (isShortText(given)) return given
  throw new ToolError('invalid_request', 'A session has an id of 1 to 200 printable characters')
}

/** Why a caller sees a tool or does not, and what sessions have seen. */
export const explainRoutes: readonly Route[] = [
  explainTools,
  explainDecision,
  listFlags,
  clearFlags,
]
