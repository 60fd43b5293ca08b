import { z } from '@hono/zod-openapi'
import { ToolError } from '../../../core/errors.ts'
import type { SecretNotes } from '../../../core/vault-ports.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { isShortText, pageLimit, shortText } from '../request/query-fields.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { secretSummary } from '../describe/schemas.ts'
import { secretOverview, secretTest } from '../describe/secret-schemas.ts'

const name = { name: 'The name of the secret, as tools declare it' }

const notes = {
  description: z
    .string()
    .min(1)
    .max(500)
    .refine((text) => !/[\p{Cs}\0]/u.test(text), 'is no text')
    .nullish()
    .openapi({ description: 'What it is for, for people; never the value' }),
  expiresAt: z.iso.datetime({ offset: true }).nullish().openapi({
    description: 'When its value stops being good where it comes from; people are warned before',
    format: 'date-time',
  }),
}

const ofAgent = z.strictObject({ agent: shortText("This agent's own").optional() })

/** The agent may be named in the query, as for reading and removing, or in the body. */
function oneAgent(inBody: string | undefined, inQuery: string | undefined): string | undefined {
  if (inBody === undefined || inQuery === undefined || inBody === inQuery) return inBody ?? inQuery
  throw new ToolError('invalid_request', 'The query and the body name different agents', {
    fix: 'Name the agent in one of them.',
  })
}

const listSecrets = defineRoute({
  method: 'get',
  path: '/api/v1/secrets',
  tag: 'Secrets',
  summary: 'List the secrets that are set, and those that tools ask for',
  description:
    'Names, versions and the tools that use them. Values are never handed out, except of a choice from a list that its tools do not call sensitive.',
  query: z.strictObject({
    // A name and an agent, each of them as long as it may be.
    after: z.string().min(1).max(401).optional().openapi({ description: 'Read on after this' }),
    limit: pageLimit(100, 1000),
  }),
  answers: { 200: { description: 'The secrets', schema: secretOverview } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listSecrets(caller, query))
  },
})

const writeSecret = defineRoute({
  method: 'put',
  path: '/api/v1/secrets/{name}',
  tag: 'Secrets',
  summary: 'Set a secret',
  params: name,
  query: ofAgent,
  body: {
    isRequired: true,
    schema: z
      .strictObject({
        value: z
          .string()
          .max(65_536)
          .openapi({ description: 'Goes in, never comes out', writeOnly: true }),
        agent: shortText("This agent's own, which wins over the tenant's").optional(),
        ...notes,
      })
      .openapi('SecretValue'),
  },
  answers: { 200: { description: 'The secret as listed', schema: secretSummary } },
  async handle({ door, caller, body, query, request }) {
    const agent = oneAgent(body.agent, query.agent)
    const secret = { value: body.value, agent, ...toNotes(body), name: secretName(request) }
    return json(200, await door.api.writeSecret(caller, secret))
  },
})

const noteSecret = defineRoute({
  method: 'patch',
  path: '/api/v1/secrets/{name}',
  tag: 'Secrets',
  summary: 'Change what is noted of a secret',
  description:
    'What it is for, and when it expires. The value stays. What is left out stays; null takes it away.',
  params: name,
  query: ofAgent,
  body: {
    isRequired: true,
    schema: z
      .strictObject({ agent: shortText("This agent's own").optional(), ...notes })
      .openapi('SecretNotes'),
  },
  answers: { 200: { description: 'The secret as listed', schema: secretSummary } },
  async handle({ door, caller, body, query, request }) {
    const secret = {
      agent: oneAgent(body.agent, query.agent),
      ...toNotes(body),
      name: secretName(request),
    }
    return json(200, await door.api.noteSecret(caller, secret))
  },
})

const deleteSecret = defineRoute({
  method: 'delete',
  path: '/api/v1/secrets/{name}',
  tag: 'Secrets',
  summary: 'Remove a secret',
  params: name,
  query: ofAgent,
  answers: { 204: { description: 'It is gone' } },
  async handle({ door, caller, query, request }) {
    await door.api.deleteSecret(caller, { name: secretName(request), agent: query.agent })
    return empty(204)
  },
})

const testSecret = defineRoute({
  method: 'post',
  path: '/api/v1/secrets/{name}/test',
  tag: 'Secrets',
  summary: 'Try a secret out',
  description:
    'Runs the check that a tool or its pack brings for it, on the value that is stored, for 10 seconds at most.',
  params: name,
  query: ofAgent,
  answers: { 200: { description: 'What came of it', schema: secretTest } },
  async handle({ door, caller, query, request }) {
    const secret = { name: secretName(request), agent: query.agent }
    return json(200, await door.api.testSecret(caller, secret))
  },
})

/** Dates are dates from here on; what was not said is not there. */
function toNotes(given: { description?: string | null; expiresAt?: string | null }): SecretNotes {
  const { description, expiresAt } = given
  return {
    ...(description !== undefined && { description }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  }
}

function secretName(request: HttpRequest): string {
  const given = request.param('name')
  if (isShortText(given)) return given
  throw new ToolError('invalid_request', 'A secret has a name of 1 to 200 printable characters')
}

export const secretRoutes: readonly Route[] = [
  listSecrets,
  writeSecret,
  noteSecret,
  deleteSecret,
  testSecret,
]
