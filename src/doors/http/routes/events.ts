import { askOperation } from '../../../features/ask-operation.ts'
import { z } from 'zod'
import { eventTypes } from '../../../features/event-types.ts'
import type { EventPage, EventQuery } from '../../../core/events/event-log.ts'
import { toEventFrames, wantsEventStream } from '../streams/event-stream.ts'
import { toFollowQuery } from '../streams/follow-events.ts'
import { streamEvents } from '../streams/stream-events.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { listOf } from '../../../core/operations/query-fields.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Asked, Route } from '../route.ts'
import { cribEvent } from '../describe/schemas.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'

const query = z.strictObject({
  after: shortText('Read on after this event id; `now` for only what comes').optional(),
  last: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .describe(
      'The newest so many instead of the oldest, fewer where they are large; a stream starts with them. Not with after, callId or sessionId',
    )
    .optional(),
  types: listOf(eventTypes, 'Only these types, separated by commas').optional(),
  callId: shortText('Only events of this call').optional(),
  sessionId: shortText('Only events of this session').optional(),
  limit: pageLimit(100, 1000),
})

/** What happened, as pages or as it happens. */
export const eventsRoute: Route = defineRoute({
  method: 'get',
  path: '/api/v1/events',
  tag: 'Events',
  summary: 'Read what happened',
  description: [
    'A page of events, oldest first; it is shorter than `limit` where events are large, and `hasMore` says so. `next` is always there: ask again with it as `after`, and no event is ever missed.',
    'With `Accept: text/event-stream` it goes on as a stream: each event under its type, with its id. A client that comes back sends `Last-Event-ID` and goes on from there. With `callId` the stream closes with `end` after the event that settles the call.',
  ].join('\n\n'),
  headers: { 'Last-Event-ID': 'For a stream: go on after this event. Wins over `after`.' },
  query,
  answers: {
    200: {
      description: 'A page of events, or a stream',
      schema: pageOf(cribEvent).extend({ hasMore: z.boolean() }),
      types: ['application/json', 'text/event-stream'],
    },
  },
  async handle(asked) {
    const { request } = asked
    const isStream = request.method !== 'HEAD' && wantsEventStream(request.header('accept'))
    const eventQuery = await toEventQuery(asked, isStream)
    // A call of somebody else is not found, rather than a stream that never says anything.
    if (eventQuery.callId !== undefined) {
      const asking = { api: asked.door.api, caller: asked.caller }
      await askOperation(asking, 'findCall', { id: eventQuery.callId })
    }
    if (isStream) {
      const { door, caller } = asked
      const follow = () => door.api.followEvents(caller, toFollowQuery(eventQuery))
      return streamEvents(asked, { query: eventQuery, follow, toFrames: toEventFrames })
    }
    if (asked.query.last !== undefined) {
      const { page } = await readLast(asked, asked.query.last)
      return json(200, page)
    }
    return json(200, await asked.door.api.readEvents(asked.caller, eventQuery))
  },
})

/** Pages are bounded by their bytes: where events are heavy, `last` gives no more of them than these hold. */
const maxLastPages = 8

/** From a place with enough behind it to the end; what is too much at the front is dropped. */
async function readLast(
  { door, caller, query: asked }: EventsAsked,
  last: number,
): Promise<{ page: EventPage; from: string }> {
  const { after, callId, sessionId, types } = asked
  if (after !== undefined || callId !== undefined || sessionId !== undefined) {
    throw new ToolError('invalid_request', 'last goes without after, callId and sessionId')
  }
  const start = await door.api.endOfEvents(caller, last)
  let page: EventPage = { items: [], next: start, hasMore: true }
  let pages: EventPage[] = []
  while (page.hasMore) {
    page = await door.api.readEvents(caller, { after: page.next, types, limit: 1000 })
    pages = [...pages, page].slice(-maxLastPages)
  }
  const items = pages.flatMap((one) => one.items)
  const before = items.at(-last - 1)
  return { page: { ...page, items: items.slice(-last) }, from: before?.id ?? start }
}

type EventsAsked = Asked<z.output<typeof query>, unknown>

async function toEventQuery(asked: EventsAsked, isStream: boolean): Promise<EventQuery> {
  const resumed = isStream ? asked.request.header('last-event-id') : undefined
  if (resumed !== undefined && !isShortText(resumed)) {
    throw new ToolError('invalid_request', 'Last-Event-ID is not an id of an event')
  }
  const after = resumed ?? asked.query.after
  const { last, ...filters } = asked.query
  if (isStream && last !== undefined && resumed === undefined) {
    return { ...filters, after: (await readLast(asked, last)).from }
  }
  if (after !== 'now') return { ...filters, after }
  return { ...filters, after: await asked.door.api.endOfEvents(asked.caller) }
}
