/** Called for every byte that a provider sends, by the signal of the request. */
const listeners = new WeakMap<AbortSignal, () => void>()

/**
 * A signal for one request; `onSign` is called whenever its response sends something. Servers that
 * queue a request, or wait for a model to think, send comments that are not part of the answer.
 */
export function listenBySignal(signal: AbortSignal | undefined, onSign: () => void): AbortSignal {
  const own = signal === undefined ? new AbortController().signal : AbortSignal.any([signal])
  listeners.set(own, onSign)
  return own
}

/** The `fetch` that providers are given, over one that may dial. */
export function observeFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => observed(await fetch(input, init), init)
}

function observed(response: Response, init: RequestInit | undefined): Response {
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
