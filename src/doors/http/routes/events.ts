import { askOperation } from '../../../features/ask-operation.ts'
import { eventOperations } from '../../../features/events/operations.ts'
import { eventPage, eventQuery } from '../../../features/events/schemas.ts'
import { toEventFrames, wantsEventStream } from '../streams/event-stream.ts'
import { toFollowQuery } from '../streams/follow-events.ts'
import { streamEvents } from '../streams/stream-events.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Route } from '../route.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'

const { path, tag, summary, description = '', answer } = eventOperations.readEvents

/** Events, as pages or live. */
export const eventsRoute: Route = defineRoute({
  method: 'get',
  path,
  tag,
  summary,
  description,
  headers: { 'Last-Event-ID': 'For a stream: continue after this event. Wins over `after`.' },
  query: eventQuery,
  answers: {
    200: {
      description: answer.description,
      schema: eventPage,
      types: ['application/json', 'text/event-stream'],
    },
  },
  async handle(asked) {
    const { door, caller, request, query } = asked
    const asking = { api: door.api, caller }
    // A call of somebody else is not found, rather than a stream that stays silent.
    if (query.callId !== undefined) await askOperation(asking, 'findCall', { id: query.callId })
    if (request.method === 'HEAD' || !wantsEventStream(request.header('accept'))) {
      return json(200, await askOperation(asking, 'readEvents', query))
    }
    const after = readResumed(request)
    const { last: _last, ...rest } = query
    const start = after === undefined ? query : { ...rest, after }
    const follow = () => door.api.followEvents(caller, toFollowQuery(start))
    return streamEvents(asked, { query: rest, follow, toFrames: toEventFrames })
  },
})

/** The event that a client has seen last. */
export function readResumed(request: HttpRequest): string | undefined {
  const resumed = request.header('last-event-id')
  if (resumed === undefined || isShortText(resumed)) return resumed
  throw new ToolError('invalid_request', 'Last-Event-ID is not an id of an event')
}
