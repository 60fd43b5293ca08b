import { aContract } from '../../../testing/a-contract.ts'
import type { ShownEvent } from '../output/event-line.ts'
import type { CallResult } from '../../../core/kernel/call.ts'
import type { ToolDetail } from '../../../core/tools/tool-listing.ts'
import type { FetchLike } from '../environment.ts'

/** One request as the fake server got it. */
export interface SeenRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: unknown
}

export type Answer = (request: SeenRequest) => Response | Promise<Response>

export interface FakeApi {
  fetch: FetchLike
  seen: SeenRequest[]
  /** The last request to this path. */
  last(path: string): SeenRequest | undefined
}

/**
 * A simulated server API: routes as `METHOD /path`, after `/api/v1`. Other routes answer with a 404
 * problem.
 */
export function createFakeApi(routes: Readonly<Record<string, Answer>>): FakeApi {
  const seen: SeenRequest[] = []
  return {
    seen,
    last: (path) => seen.findLast((request) => request.path === path),
    async fetch(url, init = {}) {
      const request = toRequest(new URL(url), init)
      seen.push(request)
      if (request.path === '/healthz') return json({ status: 'ok', version: '1.2.3' })
      const answer = routes[`${request.method} ${request.path}`]
      if (answer === undefined) {
        return problem({ status: 404, code: 'not_found', detail: `There is no ${request.path}` })
      }
      init.signal?.throwIfAborted()
      return answer(request)
    },
  }
}

function toRequest(url: URL, init: RequestInit): SeenRequest {
  return {
    method: init.method ?? 'GET',
    path: decodeURIComponent(url.pathname.replace(/^\/api\/v1/, '')),
    query: Object.fromEntries(url.searchParams),
    headers: init.headers as Record<string, string>,
    body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
  }
}

/** A JSON answer. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

/** A problem+json answer. */
export function problem(fields: {
  status: number
  code: string
  detail: string
  [more: string]: unknown
}): Response {
  return new Response(JSON.stringify({ type: 'about:blank', title: fields.code, ...fields }), {
    status: fields.status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

/** An event stream of these frames; `hold` keeps it open after them. */
export function sse(frames: readonly string[], hold?: Promise<string[]>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    async start(controller) {
      for (const frame of frames) controller.enqueue(encoder.encode(frame))
      for (const frame of (await hold) ?? []) controller.enqueue(encoder.encode(frame))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** One frame of a stream. */
export function frame(event: string, value: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`
}

/** The stream of a call that ends with this result. */
export function callStream(result: CallResult, outputs: readonly unknown[] = []): Response {
  return sse([
    frame('call', { callId: result.callId }),
    ...outputs.map((output) => frame('call.output', output)),
    frame('result', result),
  ])
}

export const callId = 'call_01990000000070008000000000000001'

/** An event with defaults for tests. */
export function eventOf(id: string, more: Partial<ShownEvent> = {}): ShownEvent {
  return {
    id,
    seq: 1,
    at: '2026-11-02T10:00:00.000Z',
    tenant: 'default',
    principal: { kind: 'key', id: 'key_1' },
    type: 'call.completed',
    data: { durationMs: 5 },
    ...more,
  }
}

/** A tool as the API returns it, with defaults for tests. */
export function toolOf(more: Partial<ToolDetail> = {}): ToolDetail {
  return {
    ...aContract({
      name: 'calc.add',
      title: 'Add numbers',
      description: 'Adds two numbers.',
      pack: 'calc',
      inputSchema: {
        type: 'object',
        properties: {
          a: { type: 'number', description: 'First' },
          b: { type: 'number', default: 1, description: 'Second' },
        },
        required: ['a', 'b'],
      },
      examples: [{ label: 'One and two', input: { a: 1, b: 2 } }],
    }),
    fields: [],
    wireName: 'calc_add',
    state: 'ready',
    portability: [],
    warnings: [],
    ...more,
  }
}
