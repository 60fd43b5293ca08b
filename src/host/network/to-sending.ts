/** The arguments of undici's fetch. */
export interface Sending {
  url: URL
  init: RequestInit
}

type Body = NonNullable<RequestInit['body']>

/**
 * Turns the arguments of `fetch` into an address and options. undici's fetch knows only its own
 * classes: it takes a global Request for an address, and sends a global FormData as the text
 * `[object FormData]`, without an error.
 */
export async function toSending(
  input: string | URL | Request,
  given: RequestInit = {},
): Promise<Sending> {
  const { url, init } =
    input instanceof Request ? unpack(input, given) : { url: input, init: given }
  const body = init.body ?? undefined
  if (body === undefined) return { url: new URL(url), init }
  if (body instanceof FormData || body instanceof Blob) {
    return { url: new URL(url), init: await withBytes(init, body) }
  }
  // Only with this option may a body be sent while it is produced.
  return { url: new URL(url), init: isStream(body) ? { ...init, duplex: 'half' } : init }
}

/** True for a body that can be sent once only. */
export function isStream(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return body instanceof ReadableStream || Symbol.asyncIterator in body
}

function unpack(request: Request, given: RequestInit): { url: string; init: RequestInit } {
  const { url, method, redirect, signal, headers } = request
  const own: RequestInit = { method, redirect, signal, headers }
  const body = given.body === undefined ? request.body : undefined
  return { url, init: { ...own, ...(body && { body }), ...given } }
}

/** Read whole: its length is known then, and a redirect can send it again. */
async function withBytes(init: RequestInit, body: Body): Promise<RequestInit> {
  const encoded = new Response(body)
  const headers = new Headers(init.headers)
  const type = encoded.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  return { ...init, headers, body: new Uint8Array(await encoded.arrayBuffer()) }
}
