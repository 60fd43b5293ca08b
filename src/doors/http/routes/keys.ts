import { z } from 'zod'
import { toolModes } from '../../../core/search/meta-tools.ts'
import { maxOverlapMs, visitorTokenMs } from '../../../core/keys/keys-api.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { idParam } from '../request/route-params.ts'
import { keyAnswer, tokenReport, visitorToken } from '../describe/key-schemas.ts'
import { apiKey } from '../describe/schemas.ts'

const listKeys = defineRoute({
  method: 'get',
  path: '/api/v1/keys',
  tag: 'Keys',
  summary: 'List the API keys',
  description:
    'Oldest first. Visitors are listed with `parent` only. Neither secrets nor digests of them are in any list.',
  query: z.strictObject({
    parent: shortText('Only the visitors of this key').optional(),
    after: shortText('Read on after this key').optional(),
    limit: pageLimit(100, 1000),
  }),
  answers: { 200: { description: 'The keys', schema: pageOf(apiKey) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listKeys(caller, query))
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
          .meta({ example: ['tools.call', 'audit.read'] }),
        agent: shortText('Bind the key to this agent').optional(),
        toolMode: z
          .enum(toolModes)
          .optional()
          .meta({ description: 'Tools all in a list, or by search' }),
        expiresAt: z.iso
          .datetime({ offset: true })
          .optional()
          .meta({ description: 'When it stops working', format: 'date-time' }),
      })
      .meta({ id: 'KeyRequest' }),
  },
  answers: {
    201: {
      description: 'The key, with its token for the only time',
      schema: keyAnswer,
    },
  },
  async handle({ door, caller, body }) {
    const { expiresAt, ...key } = body
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt)
    return json(201, await door.api.createKey(caller, { ...key, expiresAt: expiry }))
  },
})

const issueToken = defineRoute({
  method: 'post',
  path: '/api/v1/tokens',
  tag: 'Keys',
  summary: 'Issue a short-lived token for a visitor',
  description:
    'For pages of your own site: your server asks with its API key and hands the token to the page. The token holds the scopes you name, of those the key has. Conversations and calls belong to the visitor, so the next token for the same name finds them. The scopes of the newest token count for all of a visitor’s tokens. Revoke the key, or the visitor’s own key, to end them.',
  body: {
    isRequired: true,
    schema: z
      .strictObject({
        visitor: shortText('The same for the same person: an id of your own, not an address'),
        scopes: z
          .array(shortText('A permission, or a pattern of them'))
          .min(1)
          .max(100)
          .meta({ example: ['agents.chat', 'tools.call'] }),
        agent: shortText('Bind the token to this agent').optional(),
        expiresInSeconds: z
          .int()
          .min(visitorTokenMs.least / 1000)
          .max(visitorTokenMs.most / 1000)
          .optional()
          .meta({ description: 'An hour by default, a day at most' }),
      })
      .meta({ id: 'VisitorTokenRequest' }),
  },
  answers: { 201: { description: 'The token', schema: visitorToken } },
  async handle({ door, caller, body: { expiresInSeconds, ...request } }) {
    const expiresInMs = expiresInSeconds === undefined ? undefined : expiresInSeconds * 1000
    return json(201, await door.api.issueToken(caller, { ...request, expiresInMs }))
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

const rotateKey = defineRoute({
  method: 'post',
  path: '/api/v1/keys/{id}/rotate',
  tag: 'Keys',
  summary: 'Give an API key another secret',
  description:
    'The id, the scopes and the expiry stay. The old secret stops at once, or works for `overlapSeconds` more, so that it can be replaced everywhere in time.',
  params: { id: 'The id of the key' },
  body: {
    isRequired: false,
    schema: z
      .strictObject({
        overlapSeconds: z
          .int()
          .min(0)
          .max(maxOverlapMs / 1000)
          .optional()
          .meta({ description: 'How long the old secret still works; 0 unless said' }),
      })
      .meta({ id: 'KeyRotation' }),
  },
  answers: {
    200: { description: 'The key, with its new token for the only time', schema: keyAnswer },
  },
  async handle({ door, caller, body, request }) {
    const overlapMs = (body.overlapSeconds ?? 0) * 1000
    return json(200, await door.api.rotateKey(caller, idParam(request), { overlapMs }))
  },
})

const checkTokens = defineRoute({
  method: 'post',
  path: '/api/v1/keys/check',
  tag: 'Keys',
  summary: 'Say which tokens still work',
  description:
    'For tokens that were found where they should not be. Checking does not use a key. Keys of other tenants are `unknown`; a text that only looks like a key is `not_a_key` and does not affect the others.',
  body: {
    isRequired: true,
    schema: z
      .strictObject({
        tokens: z
          .array(z.string().max(200))
          .min(1)
          .max(100)
          .meta({ description: 'Whole tokens', writeOnly: true }),
      })
      .meta({ id: 'TokenCheck' }),
  },
  answers: {
    200: {
      description: 'How each of them stands, in the same order',
      schema: z.object({ items: z.array(tokenReport) }),
    },
  },
  async handle({ door, caller, body }) {
    return json(200, { items: await door.api.checkTokens(caller, body.tokens) })
  },
})

export const keyRoutes: readonly Route[] = [
  listKeys,
  createKey,
  issueToken,
  checkTokens,
  rotateKey,
  revokeKey,
]
