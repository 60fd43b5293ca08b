import type { CribEvent } from '../../../core/events/event.ts'
import type { Reply } from '../reply.ts'

/** One frame or several, as text or as bytes that others may hold too. */
export type Frames = string | Uint8Array

/**
 * The heartbeat while nothing happens, so that proxies and clients know the connection is alive.
 */
export const heartbeat = ': heartbeat\n\n'

/** The last words of a stream that ends because the server does; the client may connect again at once. */
export const goodbye = ': the server is shutting down\n\nretry: 1000\n\n'

/** One frame of `text/event-stream`. JSON never holds a bare line break, so one data line is enough. */
export function toFrame(event: string, value: unknown, id?: string): string {
  const name = id === undefined ? '' : `id: ${id}\n`
  return `${name}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`
}

const encoder = new TextEncoder()
const eventFrames = new WeakMap<readonly CribEvent[], Uint8Array>()

/** Events as frames, each under its type and id. Readers that are given the same list share the bytes. */
export function toEventFrames(events: readonly CribEvent[]): Uint8Array {
  const known = eventFrames.get(events)
  if (known !== undefined) return known
  const text = events.map((event) => toFrame(event.type, event, event.id)).join('')
  const bytes = encoder.encode(text)
  eventFrames.set(events, bytes)
  return bytes
}

/** Does the client ask for events rather than for one JSON document? */
export function wantsEventStream(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('text/event-stream')
}

/**
 * An SSE answer. A frame is asked of `frames` only when the socket has taken what came before, so a
 * slow reader holds up the source and never fills our memory. `onClose` is called whether the
 * source ended, the reader left or nobody ever read; more than once does no harm.
 */
export function eventStreamReply(frames: AsyncIterator<Frames>, onClose: () => void): Reply {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await nextOf(frames, onClose)
        if (next.done !== true) return controller.enqueue(toBytes(next.value))
        onClose()
        controller.close()
      },
      async cancel() {
        onClose()
        await frames.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return {
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    body,
    // Proxies that gather answers would hold events back.
    headers: ['x-accel-buffering', 'no'],
    onClose,
  }
}

function toBytes(frames: Frames): Uint8Array {
  return typeof frames === 'string' ? encoder.encode(frames) : frames
}

/** A source that fails is over as well: its reader must not stay counted. */
async function nextOf(
  frames: AsyncIterator<Frames>,
  onClose: () => void,
): Promise<IteratorResult<Frames>> {
  try {
    return await frames.next()
  } catch (error) {
    onClose()
    throw error
  }
}
