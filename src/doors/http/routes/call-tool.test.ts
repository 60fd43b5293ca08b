import { expect, test } from 'vitest'
import {
  bearer,
  type OpenDoor,
  openDoor,
  readFrames,
  toFrames,
  useDoors,
  webOwner,
} from '../testing/open-door.ts'

const openNext = useDoors()
const callId = expect.stringMatching(/^call_[0-9a-f]{32}$/)

const path = (tool: string) => `/api/v1/tools/${tool}/calls`
const streaming = { accept: 'text/event-stream' }
const statuses = async ({ calls }: OpenDoor) => (await calls()).map(({ status }) => status)

test('a settled call answers 200 with its result, under its canonical and its wire name', async () => {
  const { ask } = openNext()
  for (const name of ['text.echo', 'text_echo', 'mcp:docs:search', 'mcp%3Adocs%3Asearch']) {
    const response = await ask('POST', path(name), { body: { input: { a: 1 } } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      callId,
      status: 'completed',
      output: { a: 1 },
    })
  }
})

test('the request reaches the crib whole', async () => {
  const { ask, requests } = openNext()
  const body = { input: { a: null }, agent: 'support', sessionId: 'ses_1', timeoutMs: 5000 }
  await ask('POST', path('text.echo'), { body, headers: { 'idempotency-key': 'once' } })
  expect(requests).toEqual([
    {
      tool: 'text.echo',
      input: { a: null },
      caller: expect.objectContaining({ tenant: 'default', agent: 'support', sessionId: 'ses_1' }),
      idempotencyKey: 'once',
      timeoutMs: 5000,
      respondAsync: false,
      durable: true,
    },
  ])
})

test('without a body the input is an empty object, and null stays null', async () => {
  const { ask, requests } = openNext()
  await ask('POST', path('text.echo'))
  await ask('POST', path('text.echo'), { body: {} })
  await ask('POST', path('text.echo'), { body: { input: null } })
  expect(requests.map(({ input }) => input)).toEqual([{}, {}, null])
})

test('a request refused before there is a call is a problem without a call', async () => {
  const { ask, calls } = await openDoor()
  const headers = { 'x-request-id': 'r1' }
  const missing = await ask('POST', path('nope'), { body: {}, headers })
  expect(missing.status).toBe(404)
  expect(await missing.json()).toEqual({
    type: '/docs#error-tool_not_found',
    title: 'No such tool',
    status: 404,
    detail: 'There is no tool "nope" for this caller',
    code: 'tool_not_found',
    retryable: false,
    requestId: 'r1',
    fix: expect.stringContaining('List or search the tools'),
    refusalId: expect.stringMatching(/^ref_/),
  })
  const unfit = await ask('POST', path('text.echo'), { body: { input: 'text' } })
  expect(unfit.status).toBe(422)
  expect(await unfit.json()).toMatchObject({ code: 'invalid_input' })
  expect(await calls()).toEqual([])
})

test('a call that a person rejects is a 403 problem that names the call', async () => {
  const { ask, api } = await openDoor()
  const answer = ask('POST', path('billing.refund'), {
    headers: { prefer: 'respond-async, wait=60' },
  })
  const waiting = async () => (await api.listApprovals(webOwner, {})).items
  await expect.poll(waiting).toHaveLength(1)
  for (const { id } of await waiting()) {
    await api.decideApproval(webOwner, { id, decision: 'reject', reason: 'Not this one' })
  }
  const response = await answer
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({
    code: 'approval_rejected',
    callId,
    detail: expect.stringContaining('Not this one'),
  })
})

test('a call that continues answers 202 with its address', async () => {
  const { ask } = openNext()
  const background = await ask('POST', path('report.build'), { body: {} })
  expect(background.status).toBe(202)
  const started = (await background.json()) as { callId: string }
  expect(started).toEqual({ callId, status: 'running' })
  expect(background.headers.get('location')).toBe(`/api/v1/calls/${started.callId}`)
  const asked = await ask('POST', path('time.forever'), { headers: { prefer: 'respond-async' } })
  expect(asked.status).toBe(202)
  expect(asked.headers.get('preference-applied')).toBe('respond-async')
})

test('an asynchronous call may be waited for', async () => {
  const { ask } = openNext()
  const body = { input: { ms: 20 } }
  const soon = await ask('POST', path('time.pause'), {
    body,
    headers: { prefer: 'respond-async; wait=5' },
  })
  expect([soon.status, await soon.json()]).toEqual([
    200,
    { callId, status: 'completed', output: 'rested' },
  ])
  const late = await ask('POST', path('time.forever'), {
    headers: { prefer: 'wait=0, respond-async' },
  })
  expect(late.status).toBe(202)
})

test('a key that is bound to an agent calls as no other', async () => {
  const { ask, requests, keys } = openNext()
  const headers = bearer(keys.bound)
  expect(
    (await ask('POST', path('text.echo'), { body: { agent: 'support' }, headers })).status,
  ).toBe(200)
  const other = await ask('POST', path('text.echo'), { body: { agent: 'sales' }, headers })
  expect(other.status).toBe(403)
  expect(requests).toHaveLength(1)
})

test.each([
  [[], ''],
  ['text', ''],
  [{ url: 'https://example.com' }, '/url'],
  [{ agent: '' }, '/agent'],
  [{ agent: 7 }, '/agent'],
  [{ sessionId: 'a\u0000b' }, '/sessionId'],
  [{ timeoutMs: 0 }, '/timeoutMs'],
  [{ timeoutMs: 1.5 }, '/timeoutMs'],
  [{ timeoutMs: '5000' }, '/timeoutMs'],
])('a body such as %j is refused with the place', async (body, place) => {
  const { ask } = openNext()
  const response = await ask('POST', path('text.echo'), { body: JSON.stringify(body) })
  expect(response.status).toBe(400)
  const problem = (await response.json()) as { code: string; issues: { path: string }[] }
  expect([problem.code, problem.issues.map((issue) => issue.path)]).toEqual([
    'invalid_request',
    [place],
  ])
})

test('keys such as __proto__ do nothing', async () => {
  const { ask } = openNext()
  const send = (input: string) => ask('POST', path('text.echo'), { body: `{"input":${input}}` })
  const input = '{"constructor":{"prototype":{"admin":true}}}'
  expect(await (await send(input)).text()).toContain(`"status":"completed","output":${input}}`)
  const refused = await send('{"__proto__":{"admin":true}}')
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { issues: [{ message: 'must not have a key named __proto__' }] },
  ])
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
  const outer = await ask('POST', path('text.echo'), { body: '{"__proto__":{"input":{"a":1}}}' })
  expect(outer.status).toBe(400)
})

test('a stream gives the call, its output as it comes, and the result', async () => {
  const { ask } = openNext()
  const response = await ask('POST', path('text.stream'), { headers: streaming })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await readFrames(response)).toEqual([
    ['call', { callId }],
    ['call.output', { partial: 'one' }],
    ['call.output', { partial: 'two' }],
    ['call.output', { partial: 'three' }],
    ['result', { callId, status: 'completed', output: 'one two three' }],
  ])
})

test('a stream that is refused before there is a call is an ordinary problem', async () => {
  const { ask } = openNext()
  const response = await ask('POST', path('nope'), { headers: streaming })
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await (await ask('GET', '/metrics')).text()).toContain('toolcrib_http_streams 0')
})

test('the stream of a background call follows its record to the end', async () => {
  const { ask, log } = openNext()
  const watchers = log.watchers
  const response = await ask('POST', path('report.build'), { headers: streaming })
  expect(await readFrames(response)).toEqual([
    ['call', { callId }],
    ['running', { callId, status: 'running' }],
    ['call.output', { progress: { done: 1, total: 2 } }, expect.any(String)],
    ['result', { callId, status: 'completed', output: { pages: 3 } }],
  ])
  expect(log.watchers).toBe(watchers)
})

test('a reader that leaves aborts its call', async () => {
  const door = await openDoor()
  const response = await door.ask('POST', path('time.forever'), { headers: streaming })
  await response.body?.cancel()
  await expect.poll(() => statuses(door)).toEqual(['cancelled'])
})

test('a reader that hangs up before the stream begins aborts its call too', async () => {
  const door = await openDoor()
  const { ask, api, requests } = door
  const leave = new AbortController()
  const { call } = api
  api.call = (request) => call({ ...request, onCall: undefined, onOutput: undefined })
  const asking = ask('POST', path('time.forever'), { headers: streaming, signal: leave.signal })
  await expect.poll(() => requests.length).toBe(1)
  leave.abort()
  await (await asking).body?.cancel()
  await expect.poll(() => statuses(door)).toEqual(['cancelled'])
  expect(await (await ask('GET', '/metrics')).text()).toContain('toolcrib_http_streams 0')
})

test.each([
  ['prefer', 'respond-async'],
  ['idempotency-key', 'k'],
])('a reader that leaves does not abort a call with %s: %s', async (name, value) => {
  const door = await openDoor()
  const response = await door.ask('POST', path('time.pause'), {
    body: { input: { ms: 30 } },
    headers: { ...streaming, [name]: value },
  })
  await response.body?.cancel()
  await expect.poll(() => statuses(door)).toEqual(['completed'])
})

test('a slow reader gets a gap instead of filling the memory', async () => {
  const door = await openDoor({ limits: { maxPendingBytes: 10_000 } })
  const response = await door.ask('POST', path('text.flood'), { headers: streaming })
  await expect.poll(() => statuses(door)).toEqual(['completed'])
  const text = await response.text()
  expect(text.length).toBeLessThan(15_000)
  const frames = toFrames(text)
  expect(frames[1]?.[0]).toBe('gap')
  const shown = frames.filter(([event]) => event === 'call.output').length
  expect(frames[1]?.[1]).toEqual({ dropped: 5_000 - shown })
  expect(frames.at(-1)).toEqual(['result', { callId, status: 'completed', output: 'done' }])
})

test('a quiet stream beats now and then', async () => {
  const { ask } = openNext({ limits: { heartbeatMs: 20 } })
  const response = await ask('POST', path('time.forever'), {
    body: { input: {} },
    headers: streaming,
  })
  const decoder = new TextDecoder()
  let beats = 0
  for await (const chunk of response.body ?? []) {
    beats += decoder.decode(chunk, { stream: true }).match(/: heartbeat\n\n/g)?.length ?? 0
    if (beats >= 2) break
  }
  expect(beats).toBeGreaterThanOrEqual(2)
})
