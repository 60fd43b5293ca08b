import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A client that speaks bytes, to send what no HTTP library would. */
export interface RawClient {
  socket: Socket
  send(text: string): void
  /** All that came so far. */
  text(): string
  /** Resolves once what came satisfies the pattern. */
  until(pattern: RegExp): Promise<string>
  /** Resolves when the server has closed the connection. */
  closed: Promise<string>
}

/** Connects to a listening server. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const waiting = new Set<() => void>()
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8')
    for (const check of waiting) check()
  })
  // A server that cuts the line may show as a reset.
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return {
    socket,
    closed,
    send: (bytes) => void socket.write(bytes),
    text: () => text,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(text)) return
          waiting.delete(check)
          resolve(text)
        }
        waiting.add(check)
        void closed.then(() => reject(new Error(`closed before ${pattern}: ${text.slice(0, 500)}`)))
        check()
      }),
  }
}

/** A request as text, with JSON as body. */
export function rawRequest(
  method: string,
  path: string,
  more: { key?: string; headers?: string[]; body?: string } = {},
): string {
  const { key, headers = [], body } = more
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    'content-type: application/json',
    ...length,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
