import { isToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import type { EventPage } from '../../../core/events/event-log.ts'
import { type HttpClient, type Query, toProblemError } from './http-client.ts'
import { backoffMs, pause } from './retry.ts'

export interface FollowOptions {
  query: Query
  signal: AbortSignal
  /** Called when the connection is lost. */
  onNote(note: string): void
}

/**
 * Events as they happen, until the signal aborts. Every connection resumes after the last event, so
 * a restart of the server or a lost connection neither misses nor repeats an event.
 */
export async function* followEvents(
  client: HttpClient,
  options: FollowOptions,
): AsyncGenerator<CribEvent> {
  const { signal, onNote } = options
  const state: FollowState = { after: startOf(options.query), failures: 0, isEnded: false }
  while (!signal.aborted && !state.isEnded) {
    if (state.failures > 0) await pause(backoffMs(state.failures), signal)
    try {
      yield* readConnection(client, options, state)
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    if (state.failures === 0 && !state.isEnded) onNote('The connection was lost; trying again.')
    state.failures += 1
  }
}

interface FollowState {
  after: string | number | undefined
  /** Attempts since the last event. */
  failures: number
  /** The server announced the end of the stream. */
  isEnded: boolean
}

/** Only new events; for one call, all of its events. */
function startOf(query: Query): FollowState['after'] {
  return query['after'] ?? (query['callId'] === undefined ? 'now' : undefined)
}

async function* readConnection(
  client: HttpClient,
  { query, signal }: FollowOptions,
  state: FollowState,
): AsyncGenerator<CribEvent> {
  // `now` becomes a cursor before anything else: a line lost before the first event must not lose events.
  if (state.after === 'now') state.after = await readEnd(client, query, signal)
  const messages = await client.stream('/events', {
    query: { ...query, after: state.after },
    signal,
  })
  for await (const { event, text, id } of messages) {
    state.isEnded = event === 'end'
    if (state.isEnded) return
    const value = JSON.parse(text) as Record<string, unknown>
    if (event === 'error') throw toProblemError(value, 500)
    state.after = id ?? state.after
    state.failures = 0
    yield value as unknown as CribEvent
  }
}

async function readEnd(client: HttpClient, query: Query, signal: AbortSignal): Promise<string> {
  const page = await client.read<EventPage>('/events', {
    query: { ...query, after: 'now', limit: 1 },
    signal,
  })
  return page.next
}

/** A restarting server refuses, drains or has no store for a moment; other errors are permanent. */
function isPassing(error: unknown): boolean {
  return (
    isToolError(error) &&
    ['server_unreachable', 'shutting_down', 'store_unavailable', 'rate_limited'].includes(
      error.code,
    )
  )
}
