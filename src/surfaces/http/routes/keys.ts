import { z } from '@hono/zod-openapi'
import { shortText } from '../request/query-fields.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { idParam } from '../request/route-params.ts'
import { apiKey } from '../describe/schemas.ts'

const listKeys = defineRoute({
  method: 'get',
  path: '/api/v1/keys',
  tag: 'Keys',
  summary: 'List the API keys',
  answers: { 200: { description: 'The keys', schema: z.object({ items: z.array(apiKey) }) } },
  async handle({ door, caller }) {
    return json(200, { items: await door.api.listKeys(caller) })
  },
})

const createKey = defineRoute({
  method: 'post',
  path: '/api/v1/keys',
  tag: 'Keys',
  summary: 'Make an API key',
  description: 'The token is in this answer and nowhere else: only a hash of it is kept.',
  body: {
    isRequired: true,
    schema: z
      .strictObject({
        name: shortText('What the key is for'),
        scopes: z
          .array(shortText('A permission, or a pattern of them'))
          .min(1)
          .max(100)
          .openapi({ example: ['tools.*', 'calls.read'] }),
        agent: shortText('Bind the key to this agent').optional(),
        expiresAt: z.iso
          .datetime({ offset: true })
          .optional()
          .openapi({ description: 'When it stops working', format: 'date-time' }),
      })
      .openapi('KeyRequest'),
  },
  answers: {
    201: {
      description: 'The key, with its token for the only time',
      schema: z.object({ key: apiKey, token: z.string() }),
    },
  },
  async handle({ door, caller, body }) {
    const { expiresAt, ...key } = body
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt)
    return json(201, await door.api.createKey(caller, { ...key, expiresAt: expiry }))
  },
})

const revokeKey = defineRoute({
  method: 'delete',
  path: '/api/v1/keys/{id}',
  tag: 'Keys',
  summary: 'Revoke an API key',
  params: { id: 'The id of the key' },
  answers: { 204: { description: 'It no longer works' } },
  async handle({ door, caller, request }) {
    await door.api.revokeKey(caller, idParam(request))
    return empty(204)
  },
})

export const keyRoutes: readonly Route[] = [listKeys, createKey, revokeKey]
