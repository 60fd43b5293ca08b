import { z } from '@hono/zod-openapi'
import { ToolError } from '../../../core/errors.ts'
import { limitSpec, limitWithUse } from '../describe/limit-schemas.ts'
import { pageOf } from '../describe/schemas.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { isShortText, pageLimit, shortText } from '../request/query-fields.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const params = { name: 'The name of the limit' }
const paging = z.strictObject({
  after: shortText('The `next` of the page before').optional(),
  limit: pageLimit(50, 200),
})

const listLimits = defineRoute({
  method: 'get',
  path: '/api/v1/limits',
  tag: 'Limits',
  summary: 'List the limits and who uses most of them',
  description:
    'Those for every tenant first. Each with the three who have used most. Needs `usage.read` or `limits.manage`.',
  query: paging,
  answers: { 200: { description: 'A page of limits', schema: pageOf(limitWithUse) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listLimits(caller, query))
  },
})

const findLimit = defineRoute({
  method: 'get',
  path: '/api/v1/limits/{name}',
  tag: 'Limits',
  summary: 'Read one limit, and page through those who use it',
  params,
  query: paging,
  answers: { 200: { description: 'The limit', schema: limitWithUse } },
  async handle({ door, caller, query, request }) {
    return json(200, await door.api.findLimit(caller, limitName(request), query))
  },
})

const writeLimit = defineRoute({
  method: 'put',
  path: '/api/v1/limits/{name}',
  tag: 'Limits',
  summary: 'Set a limit',
  description:
    'Makes or replaces it, on every node within a second. Agents, keys and tools that it names have to be there. Needs `limits.manage`.',
  params,
  body: { isRequired: true, schema: limitSpec },
  answers: {
    200: { description: 'The limit', schema: limitWithUse },
    409: { description: 'Configuration declares a limit of this name' },
  },
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.writeLimit(caller, limitName(request), body))
  },
})

const deleteLimit = defineRoute({
  method: 'delete',
  path: '/api/v1/limits/{name}',
  tag: 'Limits',
  summary: 'Remove a limit',
  params,
  answers: { 204: { description: 'It is gone' } },
  async handle({ door, caller, request }) {
    await door.api.deleteLimit(caller, limitName(request))
    return empty(204)
  },
})

function limitName(request: HttpRequest): string {
  const name = request.param('name')
  if (isShortText(name)) return name
  throw new ToolError('not_found', 'There is no such limit')
}

export const limitRoutes: readonly Route[] = [listLimits, findLimit, writeLimit, deleteLimit]
