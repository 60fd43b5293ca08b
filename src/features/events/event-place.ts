import type { EventPage } from '../../core/events/event-log.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { EventStart } from '../../core/events/event-door.ts'
import type { EventParts } from './event-reach.ts'

type Log = Pick<EventParts, 'events'>

/** The cursor that reading begins after; undefined for the beginning. */
export async function startOf(
  parts: Log,
  caller: Caller,
  query: EventStart,
): Promise<string | undefined> {
  const { last, after } = query
  if (last !== undefined) return (await readLast(parts, caller, { ...query, last })).from
  return after === 'now' ? parts.events.end(caller.tenant) : after
}

/** Pages are bounded by their bytes: if events are large, `last` gives no more of them than these hold. */
const maxLastPages = 8

/** The newest events. Reads from a place with enough behind it to the end, and drops the first of too many. */
export async function readLast(
  { events }: Log,
  { tenant }: Caller,
  { last, types, after, callId, sessionId }: EventStart & { last: number },
): Promise<{ page: EventPage; from: string }> {
  if (after !== undefined || callId !== undefined || sessionId !== undefined) {
    throw new ToolError(
      'invalid_request',
      'last cannot be combined with after, callId or sessionId',
    )
  }
  const start = await events.end(tenant, last)
  let page: EventPage = { items: [], next: start, hasMore: true }
  let pages: EventPage[] = []
  while (page.hasMore) {
    page = await events.read(tenant, { after: page.next, types, limit: 1000 })
    pages = [...pages, page].slice(-maxLastPages)
  }
  const items = pages.flatMap((one) => one.items)
  const before = items.at(-last - 1)
  return { page: { ...page, items: items.slice(-last) }, from: before?.id ?? start }
}
