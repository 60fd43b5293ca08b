import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallContext } from '../../src/core/kernel/call.ts'
import { openPages, type OpenPages } from '../../src/host/pages/open-pages.ts'
import { directWeb } from '../../src/testing/direct-web.ts'

/** A request as a server got it. */
export interface SeenRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

export interface WebServer {
  url: string
  seen: SeenRequest[]
  close(): Promise<void>
}

/** A server on this machine that keeps what it was asked. */
export async function serveWeb(answer: Answer): Promise<WebServer> {
  const seen: SeenRequest[] = []
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '/' } = request
    const body = await readBody(request)
    const one = { method, headers, body, url: new URL(url, 'http://localhost') }
    seen.push(one)
    await answer(one, response)
  }
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** The fields and files of a multipart body, as a server reads them: anything else throws. */
export async function readMultipart({ headers, body }: SeenRequest) {
  const contentType = headers['content-type'] ?? ''
  if (!contentType.startsWith('multipart/form-data; boundary=')) {
    throw new Error(`not multipart but ${contentType}`)
  }
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData()
  const entries = [...form].map(async ([name, value]) =>
    typeof value === 'string'
      ? { name, value }
      : { name, file: value.name, type: value.type, text: await value.text() },
  )
  return Promise.all(entries)
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(value))
}

interface SavedFile {
  name: string
  mediaType: string
  bytes: Uint8Array
}

/** The parts of a context that network tools use: real threads, the real network, files in memory. */
export function openWebParts(): Pick<CallContext, 'web' | 'pages' | 'artifacts'> & {
  saved: SavedFile[]
  close: OpenPages['close']
} {
  const module = new URL('../../src/host/pages/page-worker.ts', import.meta.url).href
  const pages = openPages({ module, deadlineMs: 60_000 })
  const saved: SavedFile[] = []
  return {
    saved,
    web: directWeb,
    pages: pages.pagesFor('default'),
    artifacts: {
      async save(file) {
        saved.push(file)
        return { id: `art_${saved.length}`, bytes: file.bytes.length, mediaType: file.mediaType }
      },
    },
    close: pages.close,
  }
}
