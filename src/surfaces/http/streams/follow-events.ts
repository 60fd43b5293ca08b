import type { Caller, CallStatus } from '../../../core/call.ts'
import { settledEventTypes } from '../../../core/crib-api.ts'
import type { CribApi } from '../../../core/crib-api.ts'
import type { CribEvent, EventType } from '../../../core/events/event.ts'
import type { EventPage, EventQuery } from '../../../core/ports.ts'
import type { WakeUp } from './wake-up.ts'

export interface FollowOptions {
  api: CribApi
  caller: Caller
  query: EventQuery
  /** The page that was read before the answer began, so that a bad cursor is still a 400. */
  first: EventPage
  /** Woken when there may be something to read, and when the reader or the server ends it. */
  wakeUp: WakeUp
  isEnded(): boolean
  heartbeatMs: number
}

/** A page of events, or an empty one: nothing came for as long as a heartbeat. */
export type FollowedPage = readonly CribEvent[]

/**
 * A reader is woken by everything that happens in the process; a short rest between two pages keeps
 * a hundred readers from asking the store a hundred times for one burst.
 */
const restMs = 25
/** The record of a read call may come a moment after its answer: this long, an end is waited for. */
const settleGraceMs = 1_000

/**
 * Events as they come, page by page. With a call, the generator ends after the event that settles
 * it. At most one page is in memory, and the next is read when this one has been taken.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<FollowedPage, void> {
  const { query } = options
  let page = options.first
  let endsAt = page.items.length === 0 ? await findEnd(options) : undefined
  let spokeAt = Date.now()
  while (!options.isEnded()) {
    const wanted = page.items.filter((event) => isWanted(event, query.types))
    if (wanted.length > 0 || isPast(spokeAt + options.heartbeatMs)) {
      // Also empty: where much happens that this reader did not ask for, it has to hear that the line is alive.
      yield wanted
      spokeAt = Date.now()
    }
    if (isEndOf(query, page)) return
    if (page.items.length === 0 && isPast(endsAt)) return
    if (!page.hasMore) {
      const isQuiet = !(await waitForMore(options, endsAt))
      if (options.isEnded()) return
      if (isQuiet && endsAt === undefined) {
        yield []
        spokeAt = Date.now()
        endsAt = await findEnd(options)
      }
    }
    page = await readNext(options, page.next)
  }
}

function isEndOf({ callId }: EventQuery, { items }: EventPage): boolean {
  return callId !== undefined && items.some(isSettling)
}

function isPast(time: number | undefined): boolean {
  return time !== undefined && Date.now() >= time
}

/** False when nothing came in the time of a heartbeat, or until the end that is known. */
async function waitForMore(options: FollowOptions, endsAt: number | undefined): Promise<boolean> {
  const { wakeUp, heartbeatMs } = options
  const woken = await wakeUp.wait(
    endsAt === undefined ? heartbeatMs : Math.max(1, endsAt - Date.now()),
  )
  if (woken && !options.isEnded()) await rest()
  return woken
}

function readNext({ api, caller, query }: FollowOptions, after: string): Promise<EventPage> {
  return api.readEvents(caller, { ...toFollowQuery(query), after })
}

/** The query to read by: the end of a call is read even when the reader did not ask for it, it ends the stream. */
export function toFollowQuery(query: EventQuery): EventQuery {
  if (query.types === undefined || query.callId === undefined) return query
  return { ...query, types: [...new Set([...query.types, ...settledEventTypes])] }
}

function isWanted(event: CribEvent, types: readonly EventType[] | undefined): boolean {
  return types === undefined || types.includes(event.type)
}

function isSettling(event: CribEvent): boolean {
  return (settledEventTypes as readonly EventType[]).includes(event.type)
}

/** A reader may resume after the last event of a call: then the stream ends at this time. */
async function findEnd({ api, caller, query }: FollowOptions): Promise<number | undefined> {
  if (query.callId === undefined) return undefined
  const { status } = await api.findCall(caller, query.callId)
  return isSettledStatus(status) ? Date.now() + settleGraceMs : undefined
}

/** Is this a status that a call keeps? */
export function isSettledStatus(status: CallStatus): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'waiting'
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, restMs))
}
