import type { Api } from './client.ts'
import { ApiProblem, fromAnswer } from './problem.ts'
import { session } from './session.ts'

/** How a file is being sent. */
export interface Sending {
  /** From 0 to 1. */
  onProgress(part: number): void
  signal: AbortSignal
}

/** Uploads a file for a tool. */
export async function uploadFile(file: File, sending: Sending): Promise<Api<'Upload'>> {
  const address = `/api/v1/uploads?name=${encodeURIComponent(file.name || 'file')}`
  const type = file.type || 'application/octet-stream'
  return (await sendFile({ method: 'POST', address, type }, file, sending)) as Api<'Upload'>
}

interface Target {
  method: 'POST' | 'PUT'
  address: string
  /** The media type that the file is sent with. */
  type: string
}

/**
 * Sends a file as the body of a request. Not by fetch, which can't say how far it has come. Rejects
 * with an ApiProblem, and with an AbortError when the signal ends it.
 */
export function sendFile(
  { method, address, type }: Target,
  file: Blob,
  { onProgress, signal }: Sending,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, address)
    request.setRequestHeader('content-type', type)
    const tenant = session.tenant()
    if (tenant !== undefined) request.setRequestHeader('toolcrib-tenant', tenant)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const { status } = request
      if (status === 401) session.end()
      const body = parse(request.responseText)
      if (status >= 200 && status < 300) resolve(body)
      else reject(fromAnswer(body, new Response(null, { status })))
    })
    request.addEventListener('error', () => reject(brokeOff()))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) reject(new DOMException('Cancelled', 'AbortError'))
    else request.send(file)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The server may be away, or the file was changed while it was read. */
function brokeOff(): ApiProblem {
  return new ApiProblem({
    code: 'unreachable',
    status: 0,
    message: 'The file could not be sent',
    fix: 'The server may be restarting, or the file has changed. Try again.',
    retryable: true,
  })
}
