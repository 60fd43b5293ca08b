import { z } from 'zod'
import { runtimes } from '../../../core/kernel/runtime.ts'
import { shortText } from '../../../core/operations/fields.ts'
import { idParam } from '../request/route-params.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { explanation, pastDecision } from '../describe/explain-schemas.ts'
import { sessionFlag } from '../../../features/data-flow/schemas.ts'

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
          .meta({ description: 'Where a session was named: what it has seen' }),
      }),
    },
  },
  async handle({ door, caller, query: { session: sessionId, ...query } }) {
    return json(200, await door.api.explain(caller, { ...query, sessionId }))
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

/** Why a caller sees a tool or does not. */
export const explainRoutes: readonly Route[] = [explainTools, explainDecision]
