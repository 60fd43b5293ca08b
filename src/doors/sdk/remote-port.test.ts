import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText, isStepCount } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { defineTool } from '../../core/define-tool.ts'
import { createHttpApp } from '../http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../http/serve-http.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { connectCrib } from './connect-crib.ts'
import { callTools, playModel, sayText } from './testing/play-model.ts'

const owner = ownerOf()
const aborted: string[] = []
const running: (() => void)[] = []
let crib: Crib
let server: HttpServer
let key: string

beforeAll(async () => {
  const hand = (execution: 'external' | 'background') =>
    defineTool({
      name: `work.${execution}`,
      description: 'Takes longer than anybody waits.',
      effect: 'write',
      execution,
      inputSchema: z.object({}),
      execute: (_, { signal }) =>
        execution === 'external' ? undefined : untilAborted('background', signal),
    })
  const slow = (name: string, effect: 'read' | 'write') =>
    defineTool({
      name: `slow.${name}`,
      description: 'Works until it is stopped.',
      effect,
      inputSchema: z.object({}),
      execute: (_, { signal }) => untilAborted(name, signal),
    })
  const quick = defineTool({
    name: 'quick.write',
    description: 'Is done at once.',
    effect: 'write',
    inputSchema: z.object({}),
    execute: () => 'done',
  })
  const working = [hand('external'), hand('background')]
  const tools = [...working, slow('look', 'read'), slow('write', 'write'), quick]
  crib = await createTestCrib({ tools })
  key = (await crib.api.createKey(owner, { name: 'agent', scopes: ['tools.call'] })).token
  const limits = { heartbeatMs: 200 }
  const app = createHttpApp({ api: crib.api, version: '0', limits, onFault: () => undefined })
  server = await serveHttp(app, { port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const end of running) end()
  await server.close()
  await crib.close()
})

function untilAborted(name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    running.push(resolve)
    signal.addEventListener('abort', () => {
      aborted.push(name)
      reject(signal.reason)
    })
  })
}

test.each([
  ['work_external', {}],
  ['work_external', { partialOutput: true }],
  ['work_background', {}],
])('%s is awaited for the given time, also by a caller that may give up', async (name, more) => {
  const options = { sessionId: `${name}${JSON.stringify(more)}`, waitMs: 300, ...more }
  const { tools } = await connectCrib({ url: server.url, key }).toolSet(options)
  const model = playModel([callTools([name, {}]), sayText('ok')])
  const { responseMessages } = await generateText({
    model,
    tools,
    stopWhen: isStepCount(2),
    messages: [{ role: 'user', content: 'go' }],
    abortSignal: new AbortController().signal,
  })
  expect(JSON.stringify(responseMessages)).toContain('Not finished yet: call_')
})

/** Of cribs that do not come back. */
const patienceMs = 300

test('a stream reports that its call runs later, and that it waits for the outside', async () => {
  const leave = new AbortController()
  const response = await fetch(`${server.url}/api/v1/tools/work.external/calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    signal: leave.signal,
  })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('event: waiting')) break
  }
  leave.abort()
  expect(text.match(/(?<=event: ).*/g)).toEqual(['call', 'queued', 'waiting'])
  expect(text).toContain('"waitingFor":"external"')
})

test('a read that is given up is stopped', async () => {
  const leave = new AbortController()
  const port = connectCrib({ url: server.url, key }).port()
  const result = port.call({ tool: 'slow.look', input: {}, signal: leave.signal })
  setTimeout(() => leave.abort(), 100)
  expect((await result).error?.code).toBe('cancelled')
  await expect.poll(() => aborted).toContain('look')
})

test('the answer begins with the call, so that nobody takes a long one for lost', async () => {
  const begun: string[] = []
  const watched: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    begun.push(response.headers.get('content-type') ?? '')
    running.at(-1)?.()
    return response
  }
  const port = connectCrib({ url: server.url, key, fetch: watched }).port()
  expect((await port.call({ tool: 'slow.look', input: {} })).status).toBe('completed')
  expect(begun).toEqual([expect.stringContaining('text/event-stream')])
})

test('answers are read whatever class a fetch has for them', async () => {
  const { fetch: other } = await import('undici')
  const strange = other as unknown as typeof globalThis.fetch
  const set = await connectCrib({ url: server.url, key, fetch: strange }).toolSet()
  expect(Object.keys(set.tools)).toContain('slow_look')
})

test.each([200, 404])(
  'a page that answers with %i is reported as not being a Toolcrib server',
  async (status) => {
    const page = async () =>
      new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
    const elsewhere = connectCrib({ url: 'http://crib.test', key, fetch: page })
    const error = { code: 'upstream_failed', retryable: false }
    await expect(elsewhere.toolSet()).rejects.toMatchObject(error)
    const result = await elsewhere.port().call({ tool: 'slow.look', input: {} })
    expect(result.error).toMatchObject(error)
  },
)

test('a call that a proxy has lost may have run, if it is not found again', async () => {
  let lost = 0
  const proxied: typeof globalThis.fetch = async (input, init) => {
    lost -= 1
    return lost >= 0 ? new Response('Bad Gateway', { status: 502 }) : fetch(input, init)
  }
  const port = connectCrib({ url: server.url, key, fetch: proxied, patienceMs }).port()
  const call = { tool: 'work.external', input: {}, idempotencyKey: 'proxied' }
  lost = 2
  expect((await port.call(call)).callId).toMatch(/^call_/)
  lost = 99
  expect((await port.call(call)).error).toMatchObject({ code: 'outcome_unknown' })
})

test('an impossible key is refused, and not repeated', () => {
  const connect = () => connectCrib({ url: server.url, key: `${key}\nX-Other: 1` })
  expect(connect).toThrow(expect.objectContaining({ code: 'unauthorized' }))
  expect(connect).not.toThrow(key)
})

test.each([undefined, '', 'localhost:8080', 'ftp://crib.test', 'no address'])(
  'an impossible address (%s) is refused at once',
  (url) => {
    const connect = () => connectCrib({ url: url as string, key })
    const refused = { code: 'invalid_request', fix: expect.stringContaining('http') }
    expect(connect).toThrow(expect.objectContaining(refused))
  },
)

test('so is a key that was forgotten', () => {
  const connect = () => connectCrib({ url: server.url } as Parameters<typeof connectCrib>[0])
  expect(connect).toThrow(expect.objectContaining({ code: 'unauthorized' }))
})

/** A crib that goes away in the middle of its first answer. */
async function dying(beginning: string): Promise<{ url: string; port: Server }> {
  const port = createServer((request, response) => {
    request.resume().on('end', () => {
      if (beginning !== '') response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (beginning !== '') response.write(beginning)
      port.close()
      setTimeout(() => port.closeAllConnections(), 50)
    })
  })
  await new Promise<void>((resolve) => port.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(port.address() as AddressInfo).port}`, port }
}

test('a restarted server is awaited, and one that never existed is not', async () => {
  let awayUntil = 0
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const restarting: typeof fetch = async (...request) => {
    if (Date.now() < awayUntil) throw new TypeError('fetch failed', { cause: refused })
    return fetch(...request)
  }
  const port = connectCrib({ url: server.url, key, fetch: restarting }).port()
  await port.offer()
  awayUntil = Date.now() + 900
  const write = { tool: 'quick.write', input: {}, idempotencyKey: 'away' }
  const first = await port.call(write)
  expect(first).toMatchObject({ status: 'completed' })
  expect(await port.call(write)).toMatchObject({ callId: first.callId })

  awayUntil = Infinity
  const givenUp = AbortSignal.timeout(50)
  const began = Date.now()
  const { error } = await port.call({ ...write, signal: givenUp })
  expect(error?.code).toBe('cancelled')
  const never = connectCrib({ url: server.url, key, fetch: restarting }).port()
  expect((await never.call(write)).error?.code).toBe('server_unreachable')
  expect(Date.now() - began).toBeLessThan(30_000)
})

const call = 'event: call\ndata: {"callId":"call_1"}\n\n'

test.each([
  ['before it answered', '', undefined],
  ['in the middle of its answer', call, new AbortController().signal],
])('of a write, with a crib that went away %s, the outcome is not known', async (...given) => {
  const [, beginning, signal] = given
  const { url } = await dying(beginning)
  const request = { tool: 'note.write', input: {}, signal, idempotencyKey: 'k' }
  const { error } = await connectCrib({ url, key, patienceMs }).port().call(request)
  expect(error).toMatchObject({ code: 'outcome_unknown', retryable: false })
})

test('a read may be repeated, and so may a write that nobody has got', async () => {
  const { url } = await dying('')
  const port = connectCrib({ url, key }).port()
  const unreachable = { error: { code: 'server_unreachable', retryable: true } }
  expect(await port.call({ tool: 'note.read', input: {} })).toMatchObject(unreachable)
  const write = { tool: 'note.write', input: {}, idempotencyKey: 'k' }
  expect(await port.call(write)).toMatchObject(unreachable)
})

test('a key that is revoked between question and answer decides nothing', async () => {
  const gone = await crib.api.createKey(owner, { name: 'gone', scopes: ['tools.call'] })
  const set = await connectCrib({ url: server.url, key: gone.token }).toolSet({ sessionId: 'gone' })
  await crib.api.revokeKey(owner, { id: gone.key.id })
  const request = { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'c' } as const
  const asked = {
    type: 'tool-call',
    toolCallId: 'c',
    toolName: 'work_external',
    input: {},
  } as const
  const history = [{ role: 'assistant' as const, content: [asked, request] }]
  await expect(set.resume(history)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('of a write whose key is revoked while it runs, the outcome is not known', async () => {
  const gone = await crib.api.createKey(owner, { name: 'gone', scopes: ['tools.call'] })
  const port = connectCrib({ url: server.url, key: gone.token }).port()
  const begun = Promise.withResolvers<string>()
  const onCall = (callId: string) => begun.resolve(callId)
  const result = port.call({ tool: 'slow.write', input: {}, idempotencyKey: 'cut', onCall })
  const callId = await begun.promise
  await crib.api.revokeKey(owner, { id: gone.key.id })
  expect(await result).toMatchObject({
    callId,
    status: 'failed',
    error: { code: 'outcome_unknown', message: expect.stringContaining('unauthorized') },
  })
})

test('a question stays open while the crib can not be reached', async () => {
  let isAway = false
  const shaky: typeof globalThis.fetch = (input, init) =>
    isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)
  const shakyCrib = connectCrib({ url: server.url, key, fetch: shaky, patienceMs })
  const set = await shakyCrib.toolSet({ sessionId: 'a' })
  isAway = true
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'slow_write', input: {} } as const
  const request = { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'c' } as const
  const history = [{ role: 'assistant' as const, content: [call, request] }]
  expect(await set.resume(history)).toEqual({
    messages: history,
    waiting: [{ toolCallId: 'c', tool: 'slow_write' }],
  })
})
