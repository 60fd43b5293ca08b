import { askOperation } from '../../../features/ask-operation.ts'
import { isSettled } from '../../../core/call-state.ts'
import type { Caller } from '../../../core/kernel/call.ts'
import { settledEventTypes } from '../../../core/crib-api.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import type { CribEvent, EventType } from '../../../core/events/event.ts'
import type { EventFollower } from '../../../core/events/event-follower.ts'
import type { EventStart } from '../../../core/events/event-door.ts'
import { restInOutage } from './outage.ts'
import { isOutage } from '../../../core/kernel/errors.ts'

export interface EventStreamOptions {
  api: CoreApi
  caller: Caller
  query: EventStart
  /** Follows `toFollowQuery(query)`; woken when the reader or the server ends it. */
  follower: EventFollower
  /** The first page, read before the answer began, so that a bad cursor is still a 400. */
  first: FollowedPage
  isEnded(): boolean
  heartbeatMs: number
}

/** Some events, or none: nothing came for as long as a heartbeat. */
export type FollowedPage = readonly CribEvent[]

/** The record of a read call may come a moment after its answer: this long, an end is waited for. */
const settleGraceMs = 1_000

/**
 * Events as they come, page by page. With a call, the generator ends after the event that settles
 * it. The next page is asked for when this one has been taken.
 */
export async function* followEvents(
  options: EventStreamOptions,
): AsyncGenerator<FollowedPage, void> {
  const { query, heartbeatMs } = options
  let items = options.first
  let endsAt = items.length === 0 ? await findEnd(options) : undefined
  let spokeAt = performance.now()
  while (!options.isEnded()) {
    const wanted = pickWanted(items, query)
    if (wanted.length > 0 || isPast(spokeAt + heartbeatMs)) {
      // Also empty: where much happens that this reader did not ask for, it has to hear that the line is alive.
      yield wanted
      spokeAt = performance.now()
    }
    if (isEndOf(query, items) || (items.length === 0 && isPast(endsAt))) return
    items = yield* nextWhenBack(options, endsAt === undefined ? heartbeatMs : untilThen(endsAt))
    if (items.length === 0 && endsAt === undefined && !options.isEnded()) {
      endsAt = await findEnd(options)
    }
  }
}

/** The next page. A store that is away for a while is waited for: the follower keeps its place. */
async function* nextWhenBack(
  { follower, isEnded }: EventStreamOptions,
  waitMs: number,
): AsyncGenerator<FollowedPage, FollowedPage> {
  while (!isEnded()) {
    try {
      return await follower.next(waitMs)
    } catch (error) {
      if (!isOutage(error)) throw error
    }
    yield []
    await restInOutage()
  }
  return []
}

function isEndOf({ callId }: EventStart, items: FollowedPage): boolean {
  return callId !== undefined && items.some(isSettling)
}

/** The same list where nothing is left out: its bytes may be there already. */
function pickWanted(items: FollowedPage, { types, callId }: EventStart): FollowedPage {
  if (types === undefined || callId === undefined) return items
  return items.filter(({ type }) => types.includes(type))
}

function isPast(time: number | undefined): boolean {
  return time !== undefined && performance.now() >= time
}

function untilThen(time: number): number {
  return Math.max(1, time - performance.now())
}

/** The query to read by: the end of a call is read even when the reader did not ask for it, it ends the stream. */
export function toFollowQuery<Query extends EventStart>(query: Query): Query {
  if (query.types === undefined || query.callId === undefined) return query
  return { ...query, types: [...new Set([...query.types, ...settledEventTypes])] }
}

function isSettling(event: CribEvent): boolean {
  return (settledEventTypes as readonly EventType[]).includes(event.type)
}

/** A reader may resume after the last event of a call: then the stream ends at this time. */
async function findEnd({ api, caller, query }: EventStreamOptions): Promise<number | undefined> {
  if (query.callId === undefined) return undefined
  try {
    const { status } = await askOperation({ api, caller }, 'findCall', { id: query.callId })
    return isSettled(status) ? performance.now() + settleGraceMs : undefined
  } catch (error) {
    // Asked again at the next quiet moment.
    if (isOutage(error)) return undefined
    throw error
  }
}
