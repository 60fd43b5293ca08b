import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ask } from '../api/client.ts'
import type { Api } from '../api/client.ts'
import { session } from '../api/session.ts'

/** That something happened. The thing itself is read, and access to it checked, where it is shown. */
export interface LiveEvent {
  id: string
  type: string
  at: string
  callId?: string
  sessionId?: string
  agent?: string
  principal: Api<'Principal'>
  /** The fields that lists show, such as the tool; never an input or an output. */
  data: LiveFacts
}

export interface LiveFacts {
  tool?: string
  runtime?: string
  parentId?: string
  approvalId?: string
  /** The reason a call waits. */
  for?: string
  cost?: number
  error?: { code: string }
}

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'off'

type Listener = (event: LiveEvent) => void

const listeners = new Set<Listener>()
const stateListeners = new Set<() => void>()
let state: LiveState = 'connecting'
let stop: AbortController | undefined
let lastId: string | undefined

/** The one stream of a tab: everything on the screen that changes by itself hangs on it. */
export const liveEvents = {
  state: () => state,
  /** Given a start position, it misses no event between that and its start. */
  start(from?: string) {
    if (stop !== undefined) return
    lastId ??= from
    stop = new AbortController()
    void follow(stop.signal)
  },
  stop() {
    stop?.abort()
    stop = undefined
    setState('connecting')
  },
  /** Stops for a long while: events of that time are not replayed, the data is read again. */
  rest() {
    liveEvents.stop()
    lastId = undefined
  },
  subscribe(listener: Listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  subscribeState(listener: () => void) {
    stateListeners.add(listener)
    return () => stateListeners.delete(listener)
  },
}

const longestWaitMs = 10_000

/** Reads on for as long as the tab lives. A cut is taken up where it was: the server resumes by id. */
async function follow(signal: AbortSignal): Promise<void> {
  let waitMs = 250
  while (!signal.aborted) {
    try {
      const isOpen = await readStream(signal, () => {
        waitMs = 250
        setState('live')
      })
      if (!isOpen) {
        setState('off')
        return
      }
    } catch {
      // Stopped, restarting or unreachable: shown below, and retried.
    }
    if (signal.aborted) return
    setState('reconnecting')
    await new Promise((resolve) => setTimeout(resolve, waitMs * (0.75 + Math.random() / 2)))
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/** False where this caller may not follow what happens; then screens ask again from time to time. */
async function readStream(signal: AbortSignal, onOpen: () => void): Promise<boolean> {
  const request = new Request('/api/v1/changes', {
    headers: {
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    signal,
  })
  const response = await ask(request)
  if (response.status === 403 || response.status === 401) return session.hasEnded()
  if (!response.ok || response.body === null) throw new TypeError('No stream')
  onOpen()
  const frames = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const frame of frames) {
    if (frame.id === undefined) continue
    lastId = frame.id
    const event = JSON.parse(frame.data) as LiveEvent
    for (const listener of listeners) listener(event)
  }
  return true
}

function setState(next: LiveState): void {
  if (state === next) return
  state = next
  for (const listener of stateListeners) listener()
}
