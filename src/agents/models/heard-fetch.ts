/** Told of every byte that a provider sends, by the signal that its request was made with. */
const listeners = new WeakMap<AbortSignal, () => void>()

/**
 * A signal for one request, under which every sign of life of its answer is told. Servers that let a
 * request wait, or a model think, say so in comments of the stream, which are no part of an answer.
 */
export function listenBySignal(signal: AbortSignal | undefined, onSign: () => void): AbortSignal {
  const own = signal === undefined ? new AbortController().signal : AbortSignal.any([signal])
  listeners.set(own, onSign)
  return own
}

/** `fetch`, as providers use it. */
export async function heardFetch(
  input: Parameters<typeof fetch>[0],
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, init)
  const onSign = init?.signal ? listeners.get(init.signal) : undefined
  if (onSign === undefined || response.body === null) return response
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onSign()
      controller.enqueue(bytes)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(heard), { status, statusText, headers })
}
