import { z } from 'zod'
import { toolDecisions } from '../../../core/explain/overview-api.ts'
import { runtimes } from '../../../core/kernel/runtime.ts'
import { agentTool, policyWords } from '../describe/overview-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { slugParam } from '../request/route-params.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const total = z.int()

const listAgentTools = defineRoute({
  method: 'get',
  path: '/api/v1/agents/{slug}/tools',
  tag: 'Agents',
  summary: 'List the tools of an agent by what it may do with them',
  description:
    'Those that are hidden as well, each with the first rule that decided. `GET /explain` has every layer. Needs `policy.read`.',
  params: { slug: 'The agent' },
  query: z.strictObject({
    runtime: z.enum(runtimes).optional(),
    as: shortText('See as `member:<id>`, `key:<id>` or `role:<name>`').optional(),
    skill: shortText('With this skill of the agent in force').optional(),
    session: shortText('With what this session has seen').optional(),
    q: shortText('Words of its name or title').optional(),
    decision: z.enum(toolDecisions).optional(),
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(100, 1000),
  }),
  answers: {
    200: {
      description: 'A page of tools, by name, and how many there are in all',
      schema: pageOf(agentTool).extend({
        counts: z.object({ all: total, allow: total, ask: total, hidden: total }),
      }),
    },
  },
  async handle({ door, caller, query: { session: sessionId, ...query }, request }) {
    const asked = { ...query, sessionId }
    return json(200, await door.api.listAgentTools(caller, slugParam(request), asked))
  },
})

const readWords = defineRoute({
  method: 'get',
  path: '/api/v1/policy-words',
  tag: 'Policies',
  summary: 'List the profiles, groups and packs that policy may name',
  description:
    'Shipped ones, those of configuration and those of the tenant. Needs `policy.read`, `policy.write` or `agents.manage`.',
  answers: { 200: { description: 'All of them', schema: policyWords } },
  async handle({ door, caller }) {
    return json(200, await door.api.readPolicyWords(caller))
  },
})

/** What is decided, in lists that people choose from. */
export const overviewRoutes: readonly Route[] = [listAgentTools, readWords]
