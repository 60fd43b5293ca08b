export interface WebRequest extends RequestInit {
  /** For the whole exchange, body included (30 s). */
  timeoutMs?: number
  /** Of the body, after decompression (5 MB). */
  maxBytes?: number
  /** How often a request without an effect is sent again after 429, 502, 503, 504 or a reset (0). */
  retries?: number
}

/** A page, read whole. */
export interface WebPage {
  /** After redirects. */
  url: string
  status: number
  headers: Headers
  mediaType: string
  bytes: Uint8Array
  /** Decoded by the charset of its header, its byte order mark or its meta element. */
  text(): string
}

/**
 * The network, as far as the rules of the tenant, the agent and the pack allow it. Each address is
 * checked when it is dialled, redirects included. Throws `denied` for a host that a rule excludes,
 * `forbidden` for an address inside a private network, `timeout`, `upstream_failed`, and
 * `quota_exceeded` for a body over `maxBytes`.
 */
export interface Web {
  /** As the global `fetch`, through the guard. The body is limited while it is read. */
  fetch(input: string | URL | Request, request?: WebRequest): Promise<Response>
  readPage(url: string | URL, request?: WebRequest): Promise<WebPage>
}
