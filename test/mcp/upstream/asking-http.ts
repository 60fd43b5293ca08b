import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Message {
  id?: number | string
  method?: string
  params?: { arguments?: { who?: string } }
  result?: object
}

/**
 * An older server over HTTP whose tool asks on the stream of its call, once so many calls run. It
 * answers each with what it was told.
 */
export async function serveAsking(calls: number): Promise<{ url: string; close(): void }> {
  const streams = new Map<string, { id: Message['id']; response: ServerResponse }>()
  const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`

  function hear({ id, result }: Message): void {
    const asked = streams.get(String(id))
    const content = [{ type: 'text', text: JSON.stringify(result) }]
    asked?.response.end(event({ id: asked.id, result: { content } }))
  }
  function run({ id, params }: Message, response: ServerResponse): void {
    streams.set(`question of ${params?.arguments?.who}`, { id, response })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
    if (streams.size < calls) return
    for (const [message, stream] of streams) {
      const asked = { message, requestedSchema: { type: 'object', properties: {} } }
      stream.response.write(event({ id: message, method: 'elicitation/create', params: asked }))
    }
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(text) as Message
    const { id, method } = message
    if (method === 'tools/call') return run(message, response)
    if (method === undefined) hear(message)
    if (method === undefined || id === undefined) return void response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(method) }))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answerTo(method: string): object {
  const serverInfo = { name: 'old', version: '1' }
  const capabilities = { tools: {} }
  if (method === 'initialize') {
    return { result: { protocolVersion: '2025-06-18', capabilities, serverInfo } }
  }
  const tools = [{ name: 'ask', inputSchema: { type: 'object' } }]
  return method === 'tools/list'
    ? { result: { tools } }
    : { error: { code: -32_601, message: 'Unknown' } }
}
