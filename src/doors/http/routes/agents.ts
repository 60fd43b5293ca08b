import { z } from 'zod'
import {
  agent,
  agentChange,
  agentRequest,
  agentSummary,
  grantRequest,
} from '../describe/governance-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { searchedWords } from '../../../core/operations/query-fields.ts'
import { slugParam } from '../request/route-params.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const params = { slug: 'The agent' }
const tag = 'Agents'
const one = { 200: { description: 'The agent', schema: agent } }

const listAgents = defineRoute({
  method: 'get',
  path: '/api/v1/agents',
  tag,
  summary: 'List the agents',
  description: 'By slug. Needs `policy.read` or `agents.manage`.',
  query: z.strictObject({
    after: shortText('The `next` of the page before').optional(),
    q: searchedWords('Words in the slug, name, description or model'),
    limit: pageLimit(50, 500),
  }),
  answers: { 200: { description: 'A page of agents', schema: pageOf(agentSummary) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listAgents(caller, query))
  },
})

const createAgent = defineRoute({
  method: 'post',
  path: '/api/v1/agents',
  tag,
  summary: 'Make an agent',
  description: 'Needs `agents.manage`. Unknown profiles, groups and tools in settings are refused.',
  body: { isRequired: true, schema: agentRequest },
  answers: { 201: { description: 'The agent', schema: agent } },
  async handle({ door, caller, body }) {
    return json(201, await door.api.createAgent(caller, body))
  },
})

const findAgent = defineRoute({
  method: 'get',
  path: '/api/v1/agents/{slug}',
  tag,
  summary: 'Read one agent with its grants',
  params,
  answers: one,
  async handle({ door, caller, request }) {
    return json(200, await door.api.findAgent(caller, slugParam(request)))
  },
})

const changeAgent = defineRoute({
  method: 'patch',
  path: '/api/v1/agents/{slug}',
  tag,
  summary: 'Change an agent',
  description: 'What is left out stays. What configuration declares is changed there (409).',
  params,
  body: { isRequired: true, schema: agentChange },
  answers: one,
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.changeAgent(caller, slugParam(request), body))
  },
})

const deleteAgent = defineRoute({
  method: 'delete',
  path: '/api/v1/agents/{slug}',
  tag,
  summary: 'Delete an agent',
  description: 'With its grants, skills and secrets. Keys that are bound to it stop working.',
  params,
  answers: { 204: { description: 'It is gone' } },
  async handle({ door, caller, request }) {
    await door.api.deleteAgent(caller, slugParam(request))
    return empty(204)
  },
})

const addGrant = defineRoute({
  method: 'post',
  path: '/api/v1/agents/{slug}/grants',
  tag,
  summary: 'Grant or deny a pattern',
  description: 'Held by the source `manual`. Adding twice is adding once.',
  params,
  body: { isRequired: true, schema: grantRequest },
  answers: one,
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.addGrant(caller, slugParam(request), body))
  },
})

const removeGrant = defineRoute({
  method: 'delete',
  path: '/api/v1/agents/{slug}/grants',
  tag,
  summary: 'Take a grant away',
  description: 'Refused while a skill holds it, and where configuration declares it.',
  params,
  query: grantRequest,
  answers: one,
  async handle({ door, caller, query, request }) {
    return json(200, await door.api.removeGrant(caller, slugParam(request), query))
  },
})

const turnOffTool = defineRoute({
  method: 'delete',
  path: '/api/v1/agents/{slug}/tools/{name}',
  tag,
  summary: 'Turn one tool off for an agent',
  description: 'Its own grant goes; where a wider one remains, a deny is added.',
  params: { ...params, name: 'The tool' },
  answers: one,
  async handle({ door, caller, request }) {
    const tool = request.param('name') ?? ''
    return json(200, await door.api.turnOffTool(caller, slugParam(request), tool))
  },
})

export const agentRoutes: readonly Route[] = [
  listAgents,
  createAgent,
  findAgent,
  changeAgent,
  deleteAgent,
  addGrant,
  removeGrant,
  turnOffTool,
]
