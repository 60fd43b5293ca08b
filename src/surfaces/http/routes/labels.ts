import { z } from '@hono/zod-openapi'
import { ToolError } from '../../../core/errors.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { isShortText } from '../request/query-fields.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { labelFields, labelSetting } from '../describe/explain-schemas.ts'

const pattern = { pattern: 'A tool, or a pattern: web.*, pack:web, *' }

const listLabels = defineRoute({
  method: 'get',
  path: '/api/v1/labels',
  tag: 'Access',
  summary: 'List what tools read and affect',
  description: 'Labels of configuration and of the tenant; the data-flow rule asks by them.',
  answers: {
    200: { description: 'The labels', schema: z.object({ items: z.array(labelSetting) }) },
  },
  async handle({ door, caller }) {
    return json(200, { items: await door.api.listLabels(caller) })
  },
})

const findLabel = defineRoute({
  method: 'get',
  path: '/api/v1/labels/{pattern}',
  tag: 'Access',
  summary: 'Read one label of the tenant',
  params: pattern,
  answers: { 200: { description: 'The label', schema: labelSetting } },
  async handle({ door, caller, request }) {
    const wanted = patternOf(request)
    const labels = await door.api.listLabels(caller)
    const label = labels.find((one) => one.pattern === wanted && !one.isDeclared)
    if (label !== undefined) return json(200, label)
    throw new ToolError('not_found', `There is no label ${JSON.stringify(wanted)}`)
  },
})

const writeLabel = defineRoute({
  method: 'put',
  path: '/api/v1/labels/{pattern}',
  tag: 'Access',
  summary: 'Say what tools read and affect',
  description:
    'What is left out is not said. A tenant can add to what configuration says, and never take from it.',
  params: pattern,
  body: { isRequired: true, schema: z.strictObject(labelFields).openapi('LabelRequest') },
  answers: { 200: { description: 'The label', schema: labelSetting } },
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.writeLabel(caller, patternOf(request), body))
  },
})

const deleteLabel = defineRoute({
  method: 'delete',
  path: '/api/v1/labels/{pattern}',
  tag: 'Access',
  summary: 'Remove a label of the tenant',
  params: pattern,
  answers: { 204: { description: 'It is gone' } },
  async handle({ door, caller, request }) {
    await door.api.deleteLabel(caller, patternOf(request))
    return empty(204)
  },
})

function patternOf(request: HttpRequest): string {
  const given = request.param('pattern')
  if (isShortText(given)) return given
  throw new ToolError('invalid_request', 'A pattern has 1 to 200 printable characters')
}

/** What tools read and affect. */
export const labelRoutes: readonly Route[] = [listLabels, findLabel, writeLabel, deleteLabel]
