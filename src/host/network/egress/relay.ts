import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { RelayHandler } from '../../../core/kernel/context/processes.ts'
import { hasBody } from './forward.ts'
import { passedOn } from './hop-headers.ts'

const suffix = '.internal'

/** The name of a relay in `http://<name>.internal`; undefined for every other host. */
export function relayName(hostname: string): string | undefined {
  return hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : undefined
}

/** Lets a function of ours answer. It never sees headers of the connection. */
export async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  { url, handler }: { url: URL; handler: RelayHandler },
): Promise<void> {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  const passed = passedOn(request.rawHeaders)
  const headers = new Headers()
  for (let at = 0; at < passed.length; at += 2) {
    headers.append(passed[at] ?? '', passed[at + 1] ?? '')
  }
  const { method = 'GET' } = request
  const mayHaveBody = hasBody(request) && method !== 'GET' && method !== 'HEAD'
  const body = mayHaveBody ? (Readable.toWeb(request) as ReadableStream<Uint8Array>) : null
  const init = { method, headers, body, duplex: 'half', signal: controller.signal }
  const answer = await handler(new Request(url, init as RequestInit), controller.signal)
  response.writeHead(answer.status, [...answer.headers].flatMap(toRaw))
  if (answer.body === null) return void response.end()
  await pipeline(Readable.fromWeb(answer.body as NodeStream<Uint8Array>), response)
}

/** The length in the header is that of the encoded body, and the body is decoded. */
function toRaw([name, value]: [string, string]): string[] {
  const isStale = ['content-encoding', 'content-length', 'transfer-encoding', 'connection']
  return isStale.includes(name) ? [] : [name, value]
}
