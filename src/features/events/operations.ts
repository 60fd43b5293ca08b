import { operationsOf } from '../../core/operations/operation.ts'
import { assertMayRead, type EventParts, reachOf } from './event-reach.ts'
import { readLast, startOf } from './event-place.ts'
import { eventPage, eventQuery } from './schemas.ts'

const define = operationsOf<EventParts>('Events')

const readEvents = define({
  http: 'GET /api/v1/events',
  summary: 'Read what happened',
  description: [
    'A page of events, oldest first; it is shorter than `limit` where events are large, and then `hasMore` is true. `next` is always present: pass it as `after` in the next request, and no event is ever missed.',
    'With `Accept: text/event-stream` it continues as a stream: each event under its type, with its id. A client that reconnects sends `Last-Event-ID` and continues from there. With `callId` the stream closes with `end` after the event that settles the call.',
  ].join('\n\n'),
  needs: 'signed-in',
  agents: 'own',
  query: eventQuery,
  answer: {
    description: 'A page of events, or a stream',
    schema: eventPage,
    stream: { types: ['application/json', 'text/event-stream'], item: eventPage },
  },
  // The HTTP door answers with a stream as well.
  isServedByHand: true,
  async run(query, { caller, parts }) {
    await assertMayRead(parts, caller, query.callId)
    const { last, ...rest } = query
    const page =
      last === undefined
        ? await parts.events.read(caller.tenant, {
            ...rest,
            after: await startOf(parts, caller, query),
          })
        : (await readLast(parts, caller, { ...query, last })).page
    return { ...page, items: page.items.filter(reachOf(caller)) }
  },
})

/** Everything that can be done with events, by library method. */
export const eventOperations = { readEvents }
