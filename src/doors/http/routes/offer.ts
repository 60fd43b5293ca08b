import { createHash } from 'node:crypto'
import { z } from 'zod'
import { asAgent } from '../../../core/kernel/caller.ts'
import type { OfferedTool, ToolOffer } from '../../../core/offer/tool-offer.ts'
import { cacheByIdentity } from '../../../core/kernel/identity-cache.ts'
import { runtimes } from '../../../core/kernel/runtime.ts'
import { toCallReply } from '../call-reply.ts'
import { offerPage } from '../describe/offer-schemas.ts'
import { callResult } from '../../../features/calls/schemas.ts'
import { pageLimit, shortText } from '../../../core/operations/fields.ts'
import { nameParam } from '../request/route-params.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { callBody, parseCallBody, parseIdempotencyKey } from './call-request.ts'

const readOffer = defineRoute({
  method: 'get',
  path: '/api/v1/offer',
  tag: 'Tools',
  summary: 'Read what an agent is offered',
  description:
    'The tools that this caller may call now, with their schemas, sorted by name: what SDKs make tools of. `ETag` is that of the whole offer: while it is the same, `If-None-Match` answers 304 and pages belong together.',
  headers: { 'If-None-Match': 'The `ETag` of the offer that is known already' },
  query: z.strictObject({
    agent: shortText('As this agent').optional(),
    skill: shortText('With this skill of the agent in force').optional(),
    runtime: z.enum(runtimes).optional().meta({ description: 'As if running for this reason' }),
    sessionId: shortText('With what this conversation has found').optional(),
    after: shortText('Page on after this name').optional(),
    limit: pageLimit(500, 1000),
    name: shortText('This tool alone, by canonical or wire name, listed or not').optional(),
    brief: z.enum(['true', 'false']).optional().meta({
      description:
        'For people who look at the list: `inputSchema` is empty, and there is no `outputSchema`',
    }),
  }),
  answers: {
    200: {
      description: 'A page of the offer',
      schema: offerPage,
      headers: { ETag: 'Of the whole offer' },
    },
    304: { description: 'Nothing has changed' },
  },
  async handle({ door, caller, query, request }) {
    const { after, limit, sessionId, name, brief, ...as } = query
    const acting = asAgent(caller, as)
    const offer = await door.api.offer(sessionId === undefined ? acting : { ...acting, sessionId })
    if (name !== undefined) {
      const tool = offer.find(name)
      return json(200, { mode: offer.mode, items: tool === undefined ? [] : [tool] })
    }
    const { etag } = tagOf(offer)
    const headers = ['etag', etag]
    if (after === undefined && request.header('if-none-match') === etag) return empty(304, headers)
    const from = after === undefined ? 0 : offer.tools.findIndex(({ name }) => name > after)
    const items = from < 0 ? [] : offer.tools.slice(from, from + limit)
    const isLast = from < 0 || from + limit >= offer.tools.length
    const page = { mode: offer.mode, items: brief === 'true' ? items.map(withoutSchemas) : items }
    return json(200, isLast ? page : { ...page, next: items.at(-1)?.name }, headers)
  },
})

/** Schemas are most of an offer. */
function withoutSchemas(tool: OfferedTool): OfferedTool {
  return { ...tool, inputSchema: {}, outputSchema: undefined }
}

/** Written once per offer: the same object is given while nothing changes. */
const tagOf = cacheByIdentity(({ tools, mode }: ToolOffer) => {
  const hash = createHash('sha256').update(mode)
  for (const tool of tools) hash.update(JSON.stringify(tool))
  return { etag: `"${hash.digest('base64url').slice(0, 22)}"` }
})

const askAbout = defineRoute({
  method: 'post',
  path: '/api/v1/tools/{name}/ask',
  tag: 'Calls',
  summary: 'Ask whether a call would wait for a person',
  description:
    'If a person has to be asked about this call, it is stored and waits: 202, with its approval. With an `Idempotency-Key` that was used before, the state of that call. 204 if nobody has to be asked, also because the request is invalid: calling reports why.',
  params: { name: 'Canonical name or wire name' },
  headers: { 'Idempotency-Key': 'Calling with the same key then gives the call that was stored.' },
  body: { schema: callBody, isRequired: false, parse: parseCallBody },
  answers: {
    200: { description: 'The call of this key has settled', schema: callResult },
    202: { description: 'It waits for a person', schema: callResult },
    204: { description: 'Nobody has to be asked' },
  },
  async handle({ door, caller, body, request, requestId }) {
    const { agent, skill, sessionId, input = {} } = body
    const acting = asAgent(caller, { agent, skill })
    const result = await door.api.ask({
      tool: nameParam(request),
      input,
      caller: sessionId === undefined ? acting : { ...acting, sessionId },
      idempotencyKey: parseIdempotencyKey(request.header('idempotency-key')),
    })
    return result === undefined ? empty(204) : toCallReply(result, requestId)
  },
})

/** The tools on offer to agents, and whether a call of theirs will wait. */
export const offerRoutes: readonly Route[] = [readOffer, askAbout]
