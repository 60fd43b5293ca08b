import { z } from 'zod'
import { type PolicyDocumentKind, policyDocumentKinds } from '../../../core/rules/governance-api.ts'
import { ToolError } from '../../../core/errors.ts'
import {
  catalogueEntry,
  document,
  patternMatch,
  simulatedChange,
  simulationRequest,
} from '../describe/governance-schemas.ts'
import { jsonValue, pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { isShortText } from '../../../core/short-text.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const tag = 'Policies'
const params = {
  kind: 'policy, provider, profile, group or pack',
  name: 'Its name; the policy of the tenant is called `tenant`',
}

const listPolicies = defineRoute({
  method: 'get',
  path: '/api/v1/policies/{kind}',
  tag,
  summary: 'List what the tenant has decided of one kind',
  description:
    'Needs `policy.read` or `policy.write`. What configuration says for all tenants is not in it.',
  params: { kind: params.kind },
  answers: { 200: { description: 'All of them', schema: z.object({ items: z.array(document) }) } },
  async handle({ door, caller, request }) {
    return json(200, { items: await door.api.listPolicyDocuments(caller, kindParam(request)) })
  },
})

const writePolicy = defineRoute({
  method: 'put',
  path: '/api/v1/policies/{kind}/{name}',
  tag,
  summary: 'Write a policy, a level of a provider, a profile, a group or the switch of a pack',
  description:
    'Needs `policy.write`. `body` is a level `{ profile?, allow, deny }` for policy and provider, `{ allow, deny }` for a profile, a list of patterns for a group, `{ isOn }` for a pack. Every node follows within a second.',
  params,
  body: {
    isRequired: true,
    schema: z.strictObject({
      body: jsonValue,
      version: z.int().min(0).optional().meta({ description: 'Only if it still has this one' }),
    }),
  },
  answers: { 200: { description: 'As it stands', schema: document } },
  async handle({ door, caller, body, request }) {
    const key = { kind: kindParam(request), name: nameOf(request) }
    return json(200, await door.api.writePolicyDocument(caller, { ...key, ...body }))
  },
})

const deletePolicy = defineRoute({
  method: 'delete',
  path: '/api/v1/policies/{kind}/{name}',
  tag,
  summary: 'Take one away',
  description: 'Refused while an agent or a level names it.',
  params,
  answers: { 204: { description: 'It is gone' } },
  async handle({ door, caller, request }) {
    await door.api.deletePolicyDocument(caller, { kind: kindParam(request), name: nameOf(request) })
    return empty(204)
  },
})

const simulate = defineRoute({
  method: 'post',
  path: '/api/v1/policies/simulate',
  tag,
  summary: 'See what would change if this were saved',
  description: 'For every agent of the tenant, a page at a time. Nothing is saved.',
  body: { isRequired: true, schema: simulationRequest },
  answers: {
    200: {
      description: 'Agents that would notice, and how many would not',
      schema: pageOf(simulatedChange).extend({ unchanged: z.int() }),
    },
  },
  async handle({ door, caller, body }) {
    return json(200, await door.api.simulate(caller, body))
  },
})

const matchPatterns = defineRoute({
  method: 'post',
  path: '/api/v1/policies/matches',
  tag,
  summary: 'Count the tools that patterns match',
  description:
    'Needs `policy.read`, `policy.write`, `agents.manage` or `limits.manage`. Hidden tools count as well. A pattern that is malformed or names an unknown group has a `problem`.',
  body: {
    isRequired: true,
    schema: z.strictObject({ patterns: z.array(z.string().max(300)).max(200) }),
  },
  answers: {
    200: {
      description: 'One for each, in the same order',
      schema: z.object({ items: z.array(patternMatch) }),
    },
  },
  async handle({ door, caller, body }) {
    return json(200, { items: await door.api.matchPatterns(caller, body.patterns) })
  },
})

const listCatalogue = defineRoute({
  method: 'get',
  path: '/api/v1/catalogue',
  tag,
  summary: 'List the tools that are and were here',
  description:
    'Needs `policy.read` or `policy.write`. What names a tool that is gone is kept for a while.',
  query: z.strictObject({
    state: z.enum(['present', 'gone']).optional(),
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(100, 1000),
  }),
  answers: { 200: { description: 'A page of tools', schema: pageOf(catalogueEntry) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listCatalogue(caller, query))
  },
})

function kindParam(request: HttpRequest): PolicyDocumentKind {
  const kind = policyDocumentKinds.find((candidate) => candidate === request.param('kind'))
  if (kind !== undefined) return kind
  throw new ToolError(
    'not_found',
    `There is no such kind; known are ${policyDocumentKinds.join(', ')}`,
  )
}

function nameOf(request: HttpRequest): string {
  const name = request.param('name')
  if (isShortText(name)) return name
  throw new ToolError('not_found', 'There is nothing of this name')
}

export const policyRoutes: readonly Route[] = [
  simulate,
  matchPatterns,
  listPolicies,
  writePolicy,
  deletePolicy,
  listCatalogue,
]
