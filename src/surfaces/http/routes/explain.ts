import { runtimes } from '../../../core/runtime.ts'
import { z } from '@hono/zod-openapi'
import { shortText } from '../request/query-fields.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { explanation } from '../describe/schemas.ts'

/** Why a caller sees a tool or does not. */
export const explainRoute: Route = defineRoute({
  method: 'get',
  path: '/api/v1/explain',
  tag: 'Access',
  summary: 'Say why each tool is visible or hidden',
  description: "Every tool with every layer's verdict; the first layer that stops it decides.",
  query: z.strictObject({
    agent: shortText('See as this agent').optional(),
    skill: shortText('With this skill of the agent in force').optional(),
    runtime: z.enum(runtimes).optional(),
    tool: shortText('Only this tool').optional(),
  }),
  answers: {
    200: { description: 'What each layer says', schema: z.object({ items: z.array(explanation) }) },
  },
  async handle({ door, caller, query }) {
    return json(200, { items: await door.api.explain(caller, query) })
  },
})
