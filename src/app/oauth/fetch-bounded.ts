import { ToolError } from '../../core/kernel/errors.ts'

/** Metadata and key sets are a few kilobytes; anything larger does not come from an issuer. */
const maxBytes = 262_144
const answerMs = 5_000

/**
 * Fetches a JSON document of an issuer, with a deadline and a size limit, and without redirects.
 */
export async function fetchBounded(
  url: string,
  { signal, fetch }: { signal?: AbortSignal; fetch: typeof globalThis.fetch },
): Promise<Response> {
  const deadline = AbortSignal.timeout(answerMs)
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    // A redirected answer is not the issuer's.
    redirect: 'error',
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  })
  const body = await readBounded(response)
  return new Response(body, { status: response.status, headers: response.headers })
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) {
      throw new ToolError('upstream_failed', `${response.url} sent more than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
