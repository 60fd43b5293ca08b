import { expect, test } from 'vitest'
import type { CribEvent } from '../../../core/events/event.ts'
import { openDoor, readFrames, toFrames } from '../testing/open-door.ts'
import type { OpenDoor } from '../testing/open-door.ts'

const stream = { accept: 'text/event-stream' }

/** Reads a stream until `enough` is satisfied, then disconnects. */
async function readUntil(response: Response, enough: (text: string) => boolean): Promise<string> {
  if (response.body === null) return ''
  let text = ''
  // Leaving the loop cancels the stream, as a client that hangs up does.
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (enough(text)) break
  }
  return text
}

function record(door: OpenDoor, count: number, callId?: string): void {
  for (let i = 0; i < count; i += 1) {
    door.crib.events.record(door.crib.owner, { type: 'call.output', callId, data: i })
  }
}

const idsIn = (text: string) => toFrames(text).map(([, , id]) => id)

test('the newest events are asked for with last, and go with no place to begin at', async () => {
  const door = openDoor()
  record(door, 5)
  const newest = await door.ask('GET', '/api/v1/events?last=2')
  const { items, next, hasMore } = (await newest.json()) as {
    items: CribEvent[]
    next: string
    hasMore: boolean
  }
  expect([items.map(({ id }) => id), next, hasMore]).toEqual([['e4', 'e5'], 'e5', false])
  expect((await door.ask('GET', '/api/v1/events?last=2&after=e1')).status).toBe(400)
  expect((await door.ask('GET', '/api/v1/events?last=0')).status).toBe(400)
})

test('a stream that asks for the newest begins with them, and one that reconnects continues', async () => {
  const door = openDoor()
  record(door, 5)
  const response = await door.ask('GET', '/api/v1/events?last=2', { headers: stream })
  record(door, 1)
  expect(idsIn(await readUntil(response, (read) => read.includes('id: e6\n')))).toEqual([
    'e4',
    'e5',
    'e6',
  ])
  const headers = { ...stream, 'last-event-id': 'e1' }
  const again = await door.ask('GET', '/api/v1/events?last=2', { headers })
  expect(idsIn(await readUntil(again, (read) => read.includes('id: e6\n')))[0]).toBe('e2')
  const all = await door.ask('GET', '/api/v1/events?last=1000', { headers: stream })
  expect(idsIn(await readUntil(all, (read) => read.includes('id: e6\n')))[0]).toBe('e1')
  const odd = await door.ask('GET', '/api/v1/events?last=2&after=e1', { headers: stream })
  expect(odd.status).toBe(400)
})

test('events are paged by their cursor, which is there on the last page too', async () => {
  const door = openDoor()
  record(door, 5)
  const page = async (query: string) =>
    (await (await door.ask('GET', `/api/v1/events?${query}`)).json()) as {
      items: CribEvent[]
      next: string
      hasMore: boolean
    }
  const first = await page('limit=3')
  expect([first.items.map(({ id }) => id), first.next, first.hasMore]).toEqual([
    ['e1', 'e2', 'e3'],
    'e3',
    true,
  ])
  const second = await page(`limit=3&after=${first.next}`)
  expect([second.items.map(({ id }) => id), second.next, second.hasMore]).toEqual([
    ['e4', 'e5'],
    'e5',
    false,
  ])
  expect(await page('after=e5')).toEqual({ items: [], next: 'e5', hasMore: false })
  expect(await page('after=now')).toEqual({ items: [], next: 'e5', hasMore: false })
})

test('an invalid cursor is refused, also by a stream', async () => {
  const { ask } = openDoor()
  expect((await ask('GET', '/api/v1/events?after=nonsense')).status).toBe(400)
  const response = await ask('GET', '/api/v1/events?after=nonsense', { headers: stream })
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const resumed = await ask('GET', '/api/v1/events', {
    headers: { ...stream, 'last-event-id': 'nonsense' },
  })
  expect(resumed.status).toBe(400)
})

test('a stream gives what was and then what comes, each under its id', async () => {
  const door = openDoor()
  record(door, 2)
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  setTimeout(() => record(door, 2), 10)
  const text = await readUntil(response, (read) => read.includes('id: e4\n'))
  expect(idsIn(text)).toEqual(['e1', 'e2', 'e3', 'e4'])
  expect(toFrames(text)[0]).toEqual([
    'call.output',
    {
      id: 'e1',
      seq: 1,
      at: '2026-01-01T00:00:00.000Z',
      tenant: 'default',
      principal: { kind: 'key', id: 'owner' },
      type: 'call.output',
      data: 0,
    },
    'e1',
  ])
})

test('a stream resumes after Last-Event-ID, which wins over after', async () => {
  const door = openDoor()
  record(door, 4)
  const headers = { ...stream, 'last-event-id': 'e2' }
  const response = await door.ask('GET', '/api/v1/events?after=e1', { headers })
  expect(idsIn(await readUntil(response, (read) => read.includes('id: e4\n')))).toEqual([
    'e3',
    'e4',
  ])
})

test('a stream from now leaves out what was', async () => {
  const door = openDoor()
  record(door, 3)
  const response = await door.ask('GET', '/api/v1/events?after=now', { headers: stream })
  setTimeout(() => record(door, 1), 10)
  expect(idsIn(await readUntil(response, (read) => read.includes('id: '))).slice(0, 1)).toEqual([
    'e4',
  ])
})

test('no event is lost or doubled while pages are read and events come at once', async () => {
  const door = openDoor()
  const response = await door.ask('GET', '/api/v1/events?limit=7', { headers: stream })
  const writing = (async () => {
    for (let i = 0; i < 40; i += 1) {
      record(door, 5)
      await new Promise((resolve) => setTimeout(resolve, i % 3))
    }
  })()
  const text = await readUntil(response, (read) => read.includes('id: e200\n'))
  await writing
  expect(idsIn(text)).toEqual(Array.from({ length: 200 }, (_, i) => `e${i + 1}`))
})

test('the stream of one call ends after the event that settles it', async () => {
  const door = openDoor()
  await door.ask('POST', '/api/v1/tools/report.build/calls', { body: {} })
  record(door, 1, 'call_of_another')
  const response = await door.ask('GET', '/api/v1/events?callId=call_1', { headers: stream })
  const frames = await readFrames(response)
  expect(frames.map(([event]) => event)).toEqual([
    'call.started',
    'call.output',
    'call.completed',
    'end',
  ])
  expect(frames.at(-1)).toEqual(['end', { callId: 'call_1' }])
  expect(door.crib.events.watchers).toBe(0)
})

test('it ends as well when the reader asked for other types only', async () => {
  const door = openDoor()
  await door.ask('POST', '/api/v1/tools/report.build/calls', { body: {} })
  const path = '/api/v1/events?callId=call_1&types=call.output'
  const frames = await readFrames(await door.ask('GET', path, { headers: stream }))
  expect(frames.map(([event]) => event)).toEqual(['call.output', 'end'])
})

test('it ends soon for a reader that comes back after the last event', async () => {
  const door = openDoor()
  await door.ask('POST', '/api/v1/tools/text.echo/calls', { body: {} })
  const headers = { ...stream, 'last-event-id': door.crib.events.end() }
  const frames = await readFrames(
    await door.ask('GET', '/api/v1/events?callId=call_1', { headers }),
  )
  expect(frames).toEqual([['end', { callId: 'call_1' }]])
})

test('a reader that takes nothing holds up the reading: one page is in memory, not the log', async () => {
  const door = openDoor()
  record(door, 1_000)
  const response = await door.ask('GET', '/api/v1/events?limit=10', { headers: stream })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(door.crib.events.reads).toBe(1)
  const reader = response.body?.getReader()
  for (let i = 0; i < 5; i += 1) await reader?.read()
  expect(door.crib.events.reads).toBeLessThanOrEqual(6)
  await reader?.cancel()
})

test('a burst wakes a reader for few pages, not for each event', async () => {
  const door = openDoor()
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  setTimeout(() => record(door, 90), 20)
  await readUntil(response, (read) => read.includes('id: e90\n'))
  expect(door.crib.events.reads).toBeLessThan(5)
})

test('a reader that leaves is forgotten, also one that leaves before the first page', async () => {
  const door = openDoor()
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  expect(door.crib.events.watchers).toBe(1)
  await response.body?.cancel()
  expect(door.crib.events.watchers).toBe(0)
  const leave = new AbortController()
  const asking = door.ask('GET', '/api/v1/events', { headers: stream, signal: leave.signal })
  leave.abort()
  await asking
  expect(door.crib.events.watchers).toBe(0)
})

test('streams are counted, and one too many is refused', async () => {
  const door = openDoor({ limits: { maxStreams: 1 } })
  const first = await door.ask('GET', '/api/v1/events', { headers: stream })
  const second = await door.ask('GET', '/api/v1/events', { headers: stream })
  expect(second.status).toBe(429)
  expect(await second.json()).toMatchObject({ code: 'rate_limited' })
  await first.body?.cancel()
  const third = await door.ask('GET', '/api/v1/events', { headers: stream })
  expect(third.status).toBe(200)
  await third.body?.cancel()
})

test('HEAD answers as for pages and opens no stream', async () => {
  const door = openDoor({ limits: { maxStreams: 4 } })
  for (let i = 0; i < 10; i += 1) {
    const head = await door.ask('HEAD', '/api/v1/events', { headers: stream })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json',
      '',
    ])
  }
  expect(door.crib.events.watchers).toBe(0)
  expect((await door.ask('HEAD', '/api/v1/events?after=nonsense')).status).toBe(400)
})

test('one caller gets a quarter of the streams, and leaves the rest to others', async () => {
  const door = openDoor({ limits: { maxStreams: 8 } })
  const other = { ...stream, authorization: 'Bearer crib_other' }
  const open = (headers: Record<string, string>) => door.ask('GET', '/api/v1/events', { headers })
  const held = [await open(stream), await open(stream)]
  const refused = await open(stream)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  held.push(await open(other))
  expect(held.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const response of held) await response.body?.cancel()
  const again = await open(stream)
  expect(again.status).toBe(200)
  await again.body?.cancel()
})

test('a stream ends when its key is revoked, at the next heartbeat', async () => {
  const door = openDoor({ limits: { heartbeatMs: 15 } })
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  const [seen, rest] = response.body?.tee() ?? []
  await readUntil(new Response(seen), (text) => text.includes(': heartbeat'))
  door.crib.api.authenticate = async () => undefined
  const text = await new Response(rest).text()
  expect(toFrames(text)).toEqual([['error', expect.objectContaining({ code: 'unauthorized' })]])
  expect(door.crib.events.watchers).toBe(0)
})

test('a busy stream of a revoked key gives nothing more after two seconds', async () => {
  const door = openDoor()
  record(door, 1)
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  door.crib.api.authenticate = async () => undefined
  setTimeout(() => record(door, 1), 2_200)
  const frames = await readFrames(response)
  expect(frames.map(([event]) => event)).toEqual(['call.output', 'error'])
})

test('a reader of what does not happen hears the heartbeat although other things do', async () => {
  const door = openDoor({ limits: { heartbeatMs: 60 } })
  const path = '/api/v1/events?types=key.created'
  const response = await door.ask('GET', path, { headers: stream })
  const busy = setInterval(() => record(door, 1), 10)
  const beats = (text: string) => text.split(': heartbeat').length - 1
  expect(beats(await readUntil(response, (text) => beats(text) >= 3))).toBe(3)
  clearInterval(busy)
})

test('a quiet stream beats, and draining ends it with a word', async () => {
  const door = openDoor({ limits: { heartbeatMs: 15 } })
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  const [seen, rest] = response.body?.tee() ?? []
  await readUntil(new Response(seen), (text) => text.split(': heartbeat').length > 2)
  door.app.drain()
  const text = await new Response(rest).text()
  expect(text.endsWith(': the server is shutting down\n\nretry: 1000\n\n')).toBe(true)
})

test('a store that fails in the middle ends the stream with the problem', async () => {
  const door = openDoor()
  const response = await door.ask('GET', '/api/v1/events', {
    headers: { ...stream, 'x-request-id': 'r1' },
  })
  door.crib.events.read = () => Promise.reject(new Error('secret inside'))
  record(door, 1)
  const frames = await readFrames(response)
  expect(frames).toEqual([
    ['error', expect.objectContaining({ code: 'internal', requestId: 'r1' })],
  ])
  expect(JSON.stringify(frames)).not.toContain('secret inside')
})
