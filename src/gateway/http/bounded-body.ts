import { ToolError } from '../../core/kernel/errors.ts'

/** The most that one answer may hold: a whole JSON body, or one event of a stream. */
export interface BodyBounds {
  maxBytes: number
  /** Called before the body ends in the error. */
  onTooLarge?(): void
}

/** A response whose body ends in an error when it is larger than allowed, or one event of its stream is. */
export function boundResponse(response: Response, bounds: BodyBounds): Response {
  if (response.body === null) return response
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
  const counted = response.body.pipeThrough(createCounter(bounds, isStream))
  return new Response(counted, response)
}

const newLine = 10

/** Counts all bytes, or, in a stream of events, those since the last empty line. */
function createCounter({ maxBytes, onTooLarge }: BodyBounds, isStream: boolean) {
  let bytes = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const at = isStream ? lastEventEnd(chunk) : -1
      bytes = at < 0 ? bytes + chunk.length : chunk.length - at
      if (bytes <= maxBytes) return controller.enqueue(chunk)
      onTooLarge?.()
      controller.error(tooLarge(maxBytes))
    },
  })
}

/** Where the last event that ends in this piece ends; an end that is cut in two is found with the next. */
function lastEventEnd(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(newLine); at > 0; at = chunk.lastIndexOf(newLine, at - 1)) {
    const before = chunk[at - 1] === 13 ? at - 2 : at - 1
    if (chunk[before] === newLine) return at + 1
  }
  return -1
}

/** An answer beyond what the server's settings allow. */
export function tooLarge(maxBytes: number): ToolError {
  return new ToolError(
    'upstream_failed',
    `The answer has over ${maxBytes} bytes, more than maxResultBytes of this server allows`,
    { retryable: false, details: { isTooLarge: true } },
  )
}
