import { z } from 'zod'
import type { CallRecord } from '../../../core/kernel/call.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { toCallReply } from '../call-reply.ts'
import { jsonValue, pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { count, moment } from '../../../core/operations/query-fields.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { idParam } from '../request/route-params.ts'
import { callRecord, callResult } from '../describe/schemas.ts'
import { callStatuses } from '../../../core/call-state.ts'
import { parsePreference } from './call-request.ts'
import { shuttingDown } from './call-tool.ts'

const callId = { id: 'The id of the call' }

const listCalls = defineRoute({
  method: 'get',
  path: '/api/v1/calls',
  tag: 'Calls',
  summary: 'List calls',
  description: 'Newest first.',
  query: z.strictObject({
    tool: shortText('Calls of this tool').optional(),
    status: z.enum(callStatuses).optional(),
    agent: shortText('Calls by this agent').optional(),
    principal: shortText('Calls that this principal is responsible for').optional(),
    session: shortText('Calls of this session').optional(),
    sessionId: shortText('The same as `session`').optional(),
    parent: shortText('Calls that this call made').optional(),
    under: shortText('Calls that this call made, those that they made, and so on').optional(),
    idempotencyKey: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Calls that were made with this `Idempotency-Key`' }),
    from: moment('Requested from this time on: a day, or a time with its zone').optional(),
    to: moment('Requested before this time').optional(),
    brief: z.enum(['true', 'false']).optional().meta({ description: 'Without inputs and outputs' }),
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(50, 500),
  }),
  answers: { 200: { description: 'A page of calls', schema: pageOf(callRecord) } },
  async handle({ door, caller, query }) {
    const { session, sessionId = session, parent, under, from, to, brief, ...rest } = query
    const isBrief = brief === 'true'
    const named = { sessionId, parentId: parent, underId: under, fromMs: from, toMs: to, isBrief }
    const page = await door.api.listCalls(caller, { ...rest, ...named })
    return json(200, isBrief ? { ...page, items: page.items.map(withoutInput) } : page)
  },
})

function withoutInput({ input: _input, ...call }: CallRecord): Omit<CallRecord, 'input'> {
  return call
}

const findCall = defineRoute({
  method: 'get',
  path: '/api/v1/calls/{id}',
  tag: 'Calls',
  summary: 'Read one call',
  description:
    'With `wait`, the answer comes when the call has settled, or after that many seconds with the call as it stands.',
  params: callId,
  query: z.strictObject({
    wait: count('Seconds to wait for the call to settle; at most 60').optional(),
  }),
  answers: { 200: { description: 'The call', schema: callRecord } },
  async handle({ door, caller, query, request }) {
    const seconds = Math.min(query.wait ?? 0, door.limits.maxWaitSeconds)
    // The signal of a request costs something to make: only who waits needs it.
    const options = seconds === 0 ? undefined : { waitMs: seconds * 1000, signal: request.signal }
    return json(200, await door.api.findCall(caller, idParam(request), options))
  },
})

const cancelCall = defineRoute({
  method: 'post',
  path: '/api/v1/calls/{id}/cancel',
  tag: 'Calls',
  summary: 'Cancel a call',
  description: 'Aborts the tool if it runs. A call that has settled stays as it is.',
  params: callId,
  answers: {
    200: { description: 'The call', schema: callRecord },
    409: { description: 'The call has settled' },
  },
  async handle({ door, caller, request }) {
    return json(200, await door.api.cancel(caller, idParam(request)))
  },
})

const rerunBody: z.ZodType<{ input?: JsonValue }> = z
  .strictObject({
    input: jsonValue.optional().meta({ description: 'Instead of the old input' }),
  })
  .meta({ id: 'RerunRequest' })

const rerunCall = defineRoute({
  method: 'post',
  path: '/api/v1/calls/{id}/rerun',
  tag: 'Calls',
  summary: 'Call the same tool again',
  description:
    'A new call with the old input, or with the one given. Answers as calling the tool does.',
  params: callId,
  headers: { Prefer: '`respond-async` answers 202 as soon as the call is stored.' },
  body: { schema: rerunBody, isRequired: false },
  answers: {
    200: { description: 'The new call has settled', schema: callResult },
    202: { description: 'The new call is stored and not settled yet', schema: callResult },
  },
  async handle({ door, caller, body, request, requestId }) {
    if (door.isDraining()) throw shuttingDown()
    const { respondAsync } = parsePreference(request.header('prefer'), 0)
    const again = body.input === undefined ? { respondAsync } : { respondAsync, input: body.input }
    return toCallReply(await door.api.rerun(caller, idParam(request), again), requestId)
  },
})

export const callRoutes: readonly Route[] = [listCalls, findCall, cancelCall, rerunCall]
