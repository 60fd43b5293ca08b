import { readSse } from '../core/client/read-sse.ts'
import { settledEventTypes } from '../core/crib-api.ts'
import { isToolError } from '../core/kernel/errors.ts'
import type { CribEvent, EventType } from '../core/events/event.ts'
import { type CribClient, rest } from './crib-client.ts'

/** Which events. */
export interface RemoteEventQuery {
  /** Read on after this event; `now` for only what comes. */
  after?: string
  types?: readonly EventType[]
  /** Only events of this call; following ends when it has settled. */
  callId?: string
  sessionId?: string
  /** How many are asked for at once. */
  limit?: number
  /** Continue with new events until the signal aborts. */
  follow?: boolean
  signal?: AbortSignal
}

/** The events of a crib elsewhere, none of them twice and none missed. */
export async function* readRemoteEvents(
  client: CribClient,
  { follow = false, ...query }: RemoteEventQuery,
): AsyncGenerator<CribEvent> {
  if (follow) return yield* followEvents(client, query)
  let { after } = query
  for (;;) {
    if (query.signal?.aborted) return
    const page = await client.read<{ items: CribEvent[]; next: string; hasMore: boolean }>(
      '/events',
      { query: toQuery({ ...query, after }), isRepeatable: true, signal: query.signal },
    )
    yield* page.items
    after = page.next
    if (!page.hasMore) return
  }
}

/** How far a follower has come. */
interface Place {
  after: string | undefined
  /** The call that is followed has settled. */
  isEnd: boolean
  /** How long to rest before a line that broke is opened again. */
  pauseMs: number
}

const settledTypes: ReadonlySet<string> = new Set(settledEventTypes)
const firstPauseMs = 100
const longestPauseMs = 5000

async function* followEvents(
  client: CribClient,
  query: Omit<RemoteEventQuery, 'follow'>,
): AsyncGenerator<CribEvent> {
  const place: Place = { after: query.after, isEnd: false, pauseMs: firstPauseMs }
  for (;;) {
    try {
      yield* readStream(client, query, place)
    } catch (error) {
      // Refused requests are refused again; a broken connection is reopened where it stopped.
      if (isToolError(error) && !query.signal?.aborted) throw error
    }
    if (place.isEnd || query.signal?.aborted) return
    await rest(place.pauseMs, query.signal)
    place.pauseMs = Math.min(2 * place.pauseMs, longestPauseMs)
  }
}

async function* readStream(
  client: CribClient,
  query: RemoteEventQuery,
  place: Place,
): AsyncGenerator<CribEvent> {
  const response = await client.send('/events', {
    query: toQuery({ ...query, after: place.after }),
    headers: { accept: 'text/event-stream' },
    isRepeatable: true,
    signal: query.signal,
  })
  for await (const { event, text, id } of readSse(response.body ?? new ReadableStream())) {
    if (event === 'end') place.isEnd = true
    if (place.isEnd) return
    place.after = id ?? place.after
    place.pauseMs = firstPauseMs
    // Behind this one nothing comes: a line that breaks here is not opened again.
    place.isEnd = query.callId !== undefined && settledTypes.has(event)
    yield JSON.parse(text) as CribEvent
  }
}

function toQuery({ after, types, callId, sessionId, limit }: RemoteEventQuery) {
  return { after, types: types?.join(','), callId, sessionId, limit }
}
