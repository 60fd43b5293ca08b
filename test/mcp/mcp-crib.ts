import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ClientOptions } from '@modelcontextprotocol/client'
import type { ToolMode } from '../../src/core/kernel/meta-tools.ts'
import { openCrib, type OpenCrib, type OpenCribOptions } from '../../src/app/open-crib.ts'
import { createHttpApp } from '../../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../../src/doors/http/serve-http.ts'
import type { McpLimits } from '../../src/doors/mcp/mcp-request-context.ts'
import { openTestStore } from '../../src/testing/open-test-store.ts'
import { operator } from '../setup/governed-crib.ts'

/** A crib behind a real port, and clients that speak to it. */
export interface McpCrib {
  crib: OpenCrib
  server: HttpServer
  faults: unknown[]
  createKey(key?: KeyWish): Promise<KeyInHand>
  connect(key: KeyInHand, options?: ConnectOptions): Promise<Client>
  /** One POST to `/mcp`, as it is. */
  post(key: KeyInHand, body: unknown, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export interface KeyWish {
  agent?: string
  scopes?: string[]
  tenant?: string
  toolMode?: ToolMode
}

export interface KeyInHand {
  id: string
  token: string
}

export interface ConnectOptions extends ClientOptions {
  era?: 'today' | 'older'
  path?: string
}

type McpCribOptions = Partial<OpenCribOptions> & { limits?: Partial<McpLimits> }

export const today = '2026-07-28'
const envelope = 'io.modelcontextprotocol/'

/** Opens it on a store of its own unless one is given, with these tools. */
export async function openMcpCrib({ limits, ...options }: McpCribOptions): Promise<McpCrib> {
  const store = options.store ?? (await openTestStore())
  const crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    config: {},
    store,
    onWarning: () => undefined,
    ...options,
  })
  const faults: unknown[] = []
  const onFault = ({ error }: { error: unknown }) => void faults.push(error)
  const app = createHttpApp({ api: crib.api, version: '1.2.3', mcpLimits: limits, onFault })
  const server = await serveHttp(app, { port: 0 })
  return {
    crib,
    server,
    faults,
    async createKey({ scopes = ['*'], tenant, ...more } = {}) {
      const by = tenant === undefined ? operator : { ...operator, tenant }
      const key = { name: 'test', scopes, ...more }
      const { token, key: made } = await crib.api.createKey(by, key)
      return { id: made.id, token }
    },
    async connect({ token }, { era = 'today', path = '/mcp', ...more } = {}) {
      const mode = era === 'today' ? ({ pin: today } as const) : ('legacy' as const)
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode }, ...more },
      )
      const headers = { authorization: `Bearer ${token}` }
      const url = new URL(path, server.url)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      return client
    },
    post: ({ token }, body, headers = {}) =>
      fetch(new URL('/mcp', server.url), {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      }),
    async close() {
      await Promise.all([server.close(), crib.drain()])
      await crib.close()
      if (options.store === undefined) await store.close()
    },
  }
}

/** A request of today's era, with the headers it needs. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  capabilities: Record<string, unknown> = {},
): [body: object, headers: Record<string, string>] {
  const meta = {
    [`${envelope}protocolVersion`]: today,
    [`${envelope}clientCapabilities`]: capabilities,
    ...(params['_meta'] as object | undefined),
  }
  const named = params['name'] ?? params['uri'] ?? params['taskId']
  return [
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    {
      'mcp-protocol-version': today,
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
    },
  ]
}

export const withTasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** The JSON-RPC answer in a response, from JSON or from the last frame of a stream. */
export async function readAnswer(response: Response): Promise<RpcAnswer> {
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('application/json') === true) {
    return JSON.parse(text) as RpcAnswer
  }
  const frames = text.split('\n').filter((line) => line.startsWith('data: '))
  return JSON.parse(frames.at(-1)?.slice(6) ?? 'null') as RpcAnswer
}

export interface RpcAnswer {
  id: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}
