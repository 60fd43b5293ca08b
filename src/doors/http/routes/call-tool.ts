import { askOperation } from '../../../features/ask-operation.ts'
import { toCallResult } from '../../../core/kernel/call-result.ts'
import type { CallResult } from '../../../core/kernel/call.ts'
import type { CallRequest } from '../../../core/kernel/call-request.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { toCallReply } from '../call-reply.ts'
import { wantsEventStream } from '../streams/event-stream.ts'
import { isSettled } from '../../../core/call-state.ts'
import { asAgent } from '../../../core/kernel/caller.ts'
import type { Reply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Asked, Route } from '../route.ts'
import { nameParam } from '../request/route-params.ts'
import { callResult } from '../../../features/calls/schemas.ts'
import { callBody, parseCallBody, parseIdempotencyKey, parsePreference } from './call-request.ts'
import type { CallBody } from './call-request.ts'
import { streamCall } from './stream-call.ts'

/** The route that everything else is about. */
export const callToolRoute: Route = defineRoute({
  method: 'post',
  path: '/api/v1/tools/{name}/calls',
  tag: 'Calls',
  summary: 'Call a tool',
  description: [
    'Answers 200 with the result once the call has settled, with any status; a denied call is a 403 problem with its id. A call that waits, is queued or still runs answers 202 with its address in `Location`. A request refused before there is a call (unknown tool, invalid input, limits) is a problem without `callId`.',
    'With `Accept: text/event-stream` the answer is a stream: `call` (the id), `call.output` as the tool yields or reports, `gap` when a slow reader missed some (`GET /api/v1/events?callId=…` has what was kept), `queued` when it runs after this answer, `waiting` when it waits for somebody, and last `result`. A reader that disconnects aborts its call, unless it sent `Prefer: respond-async` or an `Idempotency-Key`: then the call continues. Disconnecting from a plain request never aborts: the result is in the record.',
  ].join('\n\n'),
  params: { name: 'Canonical name (`billing.refund`) or wire name (`billing_refund`)' },
  headers: {
    'Idempotency-Key':
      'The same key with the same input gives the same call, also after a restart. With other input: 422.',
    Prefer:
      '`respond-async` answers 202 as soon as the call is stored; `wait=10` waits that long for a call that is queued or waits for somebody.',
  },
  body: { schema: callBody, isRequired: false, parse: parseCallBody },
  answers: {
    200: {
      description: 'The call has settled, or its stream',
      schema: callResult,
      types: ['application/json', 'text/event-stream'],
    },
    202: {
      description: 'The call is stored and not settled yet',
      schema: callResult,
      headers: { Location: 'Where to read the call' },
    },
    403: { description: 'The call was denied' },
    404: { description: 'No such tool for this caller' },
    422: {
      description: 'The input does not fit, or the idempotency key was used with other input',
    },
  },
  async handle(asked) {
    if (asked.door.isDraining()) throw shuttingDown()
    const request = toCallRequest(asked)
    if (wantsEventStream(asked.request.header('accept'))) return streamCall(asked, request)
    const result = await asked.door.api.call(request)
    if (isSettled(result.status) || result.callId === undefined) {
      return toCallReply(result, asked.requestId, appliedIn(request))
    }
    return answerLater(asked, request, result)
  },
})

function toCallRequest({ door, caller, body, request }: Asked<unknown, CallBody>): CallRequest {
  const acting = asAgent(caller, { agent: body.agent, skill: body.skill })
  return {
    tool: nameParam(request),
    input: body.input === undefined ? {} : body.input,
    caller: body.sessionId === undefined ? acting : { ...acting, sessionId: body.sessionId },
    idempotencyKey: parseIdempotencyKey(request.header('idempotency-key')),
    timeoutMs: body.timeoutMs,
    priority: body.priority,
    startAt: body.delay === undefined ? undefined : Date.now() + body.delay * 1000,
    respondAsync: parsePreference(request.header('prefer'), 0).respondAsync,
    durable: door.durableReads,
  }
}

/**
 * Waits for an unsettled call as long as its caller prefers, then answers with its current state.
 */
async function answerLater(
  asked: Asked<unknown, CallBody>,
  request: CallRequest,
  result: CallResult,
): Promise<Reply> {
  const { api, limits } = asked.door
  const { waitSeconds } = parsePreference(asked.request.header('prefer'), limits.maxWaitSeconds)
  const applied = appliedIn(request)
  if (waitSeconds === 0 || result.callId === undefined) {
    return toCallReply(result, asked.requestId, applied)
  }
  const asking = { api, caller: request.caller, signal: asked.request.signal }
  const wanted = { id: result.callId, wait: waitSeconds }
  const record = await askOperation(asking, 'findCall', wanted)
  return toCallReply(toCallResult(record), asked.requestId, applied)
}

function appliedIn({ respondAsync }: CallRequest): string[] {
  return respondAsync === true ? ['preference-applied', 'respond-async'] : []
}

/** The refusal of new work while the server drains. */
export function shuttingDown(): ToolError {
  return new ToolError('shutting_down', 'The server is shutting down and takes no new calls', {
    fix: 'Try again in a moment; another node may take it now.',
  })
}
