import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '../../src/core/kernel/tool.ts'
import type { ChaosNode } from './node-processes.ts'
import type { Random } from './random.ts'

export interface Reply {
  node: string
  tookMs: number
  /** Absent when no answer came. */
  http?: number
  body?: unknown
}

export interface ChaosRequest {
  path: string
  /** Sent as JSON; without it the request is a GET. */
  json?: JsonValue
  method?: 'PATCH'
  headers?: Record<string, string>
  /** In place of the client's key. */
  token?: string
  timeoutMs?: number
}

/** A client that knows all nodes and asks whichever is up. */
export interface ChaosClient {
  send(request: ChaosRequest): Promise<Reply>
  /** A stream from one of them; undefined when it can't be had. */
  open(path: string, headers: Record<string, string>): Promise<Response | undefined>
}

/** A paused node takes connections and says nothing: a client that waits for ever would see little of the run. */
const patienceMs = 6000
const longestPauseMs = 1000

export interface ChaosClientOptions {
  nodes: readonly Pick<ChaosNode, 'name' | 'url'>[]
  key: string
  random: Random
}

/** Sends each request to one node. Never rejects: no answer is an answer, too. */
export function createChaosClient({ nodes, key, random }: ChaosClientOptions): ChaosClient {
  return {
    async open(path, headers) {
      const node = random.pick(await awaitNodes(nodes))
      const authorization = `Bearer ${key}`
      // Only the headers are waited for: what comes after is the reader's to judge.
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), patienceMs)
      const { signal } = patience
      return fetch(`${node.url()}${path}`, { headers: { authorization, ...headers }, signal })
        .catch(() => undefined)
        .finally(() => clearTimeout(timer))
    },
    async send(request) {
      const node = random.pick(await awaitNodes(nodes))
      const startedAt = performance.now()
      const took = () => ({ node: node.name, tookMs: Math.round(performance.now() - startedAt) })
      try {
        const response = await fetch(`${node.url()}${request.path}`, {
          method: request.method ?? (request.json === undefined ? 'GET' : 'POST'),
          body: request.json === undefined ? undefined : JSON.stringify(request.json),
          headers: {
            authorization: `Bearer ${request.token ?? key}`,
            'content-type': 'application/json',
            ...request.headers,
          },
          signal: AbortSignal.timeout(request.timeoutMs ?? patienceMs),
        })
        const body: unknown = await response.json()
        const reply = { ...took(), http: response.status, body }
        if (response.status === 429 || response.status === 503) await sleep(pauseOf(response))
        return reply
      } catch {
        await sleep(20)
        return took()
      }
    },
  }
}

/** Those that are up; when none is, the client waits for one. */
async function awaitNodes(
  nodes: ChaosClientOptions['nodes'],
): Promise<ChaosClientOptions['nodes']> {
  while (true) {
    const up = nodes.filter((node) => node.url() !== undefined)
    if (up.length > 0) return up
    await sleep(50)
  }
}

/** What the server asks for, but not so long that nothing happens in a short run. */
function pauseOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0.1)
  return Math.min(longestPauseMs, Number.isFinite(seconds) ? seconds * 1000 : 100)
}
