import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

/**
 * The least that a hop can be: a request's JSON is handed to a server on stdio under a number of our
 * own, and its line is the answer. No key, no policy, no record, no session, no check of anything.
 */
export function serveRelay(fixture = ''): void {
  const upstream = spawn(process.execPath, [fixture], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, { id: unknown; response: ServerResponse }>()
  createInterface({ input: upstream.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { id: number }
    const asked = waiting.get(answer.id)
    if (asked === undefined) return
    waiting.delete(answer.id)
    asked.response.setHeader('content-type', 'application/json')
    asked.response.end(JSON.stringify({ ...answer, id: asked.id }))
  })
  let last = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const message = JSON.parse(text) as { id: unknown }
      last += 1
      waiting.set(last, { id: message.id, response })
      upstream.stdin.write(`${JSON.stringify({ ...message, id: last })}\n`)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  })
  // It ends with its input, which ends with us.
}
