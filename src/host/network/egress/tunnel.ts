import type { Duplex } from 'node:stream'
import { ToolError } from '../../../core/kernel/errors.ts'
import { toDoorAnswer } from './door-answer.ts'

type Dial = (host: string, port: number, signal: AbortSignal) => Promise<Duplex>

/** Serves CONNECT: bytes in both directions, to the address that was checked. */
export async function tunnel(
  target: string,
  { client, head }: { client: Duplex; head: Buffer },
  dial: Dial,
): Promise<void> {
  const controller = new AbortController()
  client.once('close', () => controller.abort(new Error('the client has gone')))
  client.on('error', () => client.destroy())
  try {
    const { host, port } = parseTarget(target)
    const upstream = await dial(host, port, controller.signal)
    if (client.destroyed) return void upstream.destroy()
    join(client, upstream)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) upstream.write(head)
  } catch (error) {
    const { status, text } = toDoorAnswer(error)
    const lines = [
      `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}`,
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
    ]
    client.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
  }
}

/** Either end takes the other with it. */
function join(client: Duplex, upstream: Duplex): void {
  upstream.on('error', () => client.destroy())
  upstream.once('close', () => client.destroy())
  client.once('close', () => upstream.destroy())
  client.pipe(upstream)
  upstream.pipe(client)
}

/** `host:port`, in the one spelling that rules compare. */
function parseTarget(text: string): { host: string; port: number } {
  const [, port] = /:(\d{1,5})$/.exec(text) ?? []
  const address = `http://${text}`
  if (port === undefined || Number(port) > 65_535 || !URL.canParse(address)) throw badTarget(text)
  const url = new URL(address)
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && !text.includes('@')
  if (!isBare || url.hostname === '') throw badTarget(text)
  return { host: url.hostname, port: Number(port) }
}

function badTarget(text: string): ToolError {
  return new ToolError('invalid_request', `CONNECT ${text.slice(0, 200)} names no host and port`)
}
