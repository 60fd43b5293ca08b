import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ask } from '../../api/client.ts'
import type { CallEvent } from './call-log.ts'

/** The state of a call's event stream. `closed`: this person can't see the call. */
export type StreamState = 'connecting' | 'live' | 'reconnecting' | 'done' | 'closed'

interface Watcher {
  onEvents: (events: readonly CallEvent[]) => void
  onState: (state: StreamState) => void
  signal: AbortSignal
}

/** Output arrives faster than anybody reads, so events are delivered in batches at this interval. */
const flushMs = 80
const longestWaitMs = 5000

/** Streams the events of a call from the first to the last, and resumes after a lost connection. */
export async function followCall(callId: string, watcher: Watcher): Promise<void> {
  const { signal, onState } = watcher
  const place: Place = { lastId: undefined }
  let waitMs = 250
  while (!signal.aborted) {
    await untilSeen(signal)
    const stream = closedUnseen(signal)
    try {
      const end = await readStream(callId, { ...watcher, signal: stream.signal }, place)
      if (end !== 'cut') {
        stream.stop()
        return onState(end)
      }
      waitMs = 250
    } catch {
      // Stopped, restarting or unreachable: reported below and retried.
    }
    stream.stop()
    if (signal.aborted) return
    if (document.hidden) continue
    onState('reconnecting')
    await new Promise((resolve) => setTimeout(resolve, waitMs * (0.75 + Math.random() / 2)))
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/**
 * A browser opens at most six connections to a server. A hidden tab gives up its connection and
 * resumes where it left off when it is visible again.
 */
function closedUnseen(signal: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const control = new AbortController()
  const onChange = () => document.hidden && control.abort()
  document.addEventListener('visibilitychange', onChange)
  return {
    signal: AbortSignal.any([signal, control.signal]),
    stop: () => document.removeEventListener('visibilitychange', onChange),
  }
}

async function untilSeen(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) {
    await new Promise<void>((resolve) => {
      document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

interface Place {
  lastId: string | undefined
}

async function readStream(
  callId: string,
  { onEvents, onState, signal }: Watcher,
  place: Place,
): Promise<'done' | 'closed' | 'cut'> {
  const request = new Request(`/api/v1/events?callId=${encodeURIComponent(callId)}`, {
    headers: {
      accept: 'text/event-stream',
      ...(place.lastId !== undefined && { 'last-event-id': place.lastId }),
    },
    signal,
  })
  const response = await ask(request)
  if ([401, 403, 404].includes(response.status)) return 'closed'
  if (!response.ok || response.body === null) throw new TypeError('No stream')
  onState('live')
  const frames = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  const batch = createBatch(onEvents)
  try {
    for await (const frame of frames) {
      if (frame.event === 'end') return 'done'
      if (frame.id === undefined) continue
      place.lastId = frame.id
      batch.add(JSON.parse(frame.data) as CallEvent)
    }
    return 'cut'
  } finally {
    batch.flush()
  }
}

function createBatch(onEvents: (events: readonly CallEvent[]) => void) {
  let waiting: CallEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const events = waiting
    waiting = []
    if (events.length > 0) onEvents(events)
  }
  return {
    flush,
    add(event: CallEvent) {
      waiting.push(event)
      timer ??= setTimeout(flush, flushMs)
    },
  }
}
