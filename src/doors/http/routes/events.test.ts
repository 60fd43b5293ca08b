import { expect, test } from 'vitest'
import type { CribEvent } from '../../../core/events/event.ts'
import { bearer, openDoor, readFrames, toFrames, useDoors } from '../testing/open-door.ts'
import type { OpenDoor } from '../testing/open-door.ts'

const openNext = useDoors()
const stream = { accept: 'text/event-stream' }
/** Events that do not happen here. */
const quiet = '/api/v1/events?types=key.revoked'

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

/** Makes a call, and gives its id. */
async function call(door: OpenDoor, tool: string): Promise<string> {
  const response = await door.ask('POST', `/api/v1/tools/${tool}/calls`, { body: {} })
  return ((await response.json()) as { callId: string }).callId
}

const isIn = (id: string | undefined) => (read: string) => read.includes(`id: ${id}\n`)
const idsIn = (text: string) => toFrames(text).map(([, , id]) => id)

test('the newest events are asked for with last, and go with no place to begin at', async () => {
  const door = openNext()
  const ids = await door.log.add(5)
  const newest = await door.ask('GET', '/api/v1/events?last=2')
  const { items, next, hasMore } = (await newest.json()) as {
    items: CribEvent[]
    next: string
    hasMore: boolean
  }
  expect([items.map(({ id }) => id), next, hasMore]).toEqual([ids.slice(-2), ids.at(-1), false])
  expect((await door.ask('GET', `/api/v1/events?last=2&after=${ids[0]}`)).status).toBe(400)
  expect((await door.ask('GET', '/api/v1/events?last=0')).status).toBe(400)
})

test('a stream that asks for the newest begins with them, and one that reconnects continues', async () => {
  const door = openNext()
  const before = await door.log.add(5)
  const response = await door.ask('GET', '/api/v1/events?last=2', { headers: stream })
  const ids = [...before, ...(await door.log.add(1))]
  const isWhole = isIn(ids.at(-1))
  expect(idsIn(await readUntil(response, isWhole))).toEqual(ids.slice(-3))
  const headers = { ...stream, 'last-event-id': ids[0] ?? '' }
  const again = await door.ask('GET', '/api/v1/events?last=2', { headers })
  expect(idsIn(await readUntil(again, isWhole))[0]).toBe(ids[1])
  const all = await door.ask('GET', '/api/v1/events?last=1000', { headers: stream })
  expect(idsIn(await readUntil(all, isWhole)).slice(-6)).toEqual(ids)
  const odd = await door.ask('GET', `/api/v1/events?last=2&after=${ids[0]}`, { headers: stream })
  expect(odd.status).toBe(400)
})

test('events are paged by their cursor, which is there on the last page too', async () => {
  const door = openNext()
  const before = (await door.log.add(1)).at(-1)
  const ids = await door.log.add(5)
  const page = async (query: string) =>
    (await (await door.ask('GET', `/api/v1/events?${query}`)).json()) as {
      items: CribEvent[]
      next: string
      hasMore: boolean
    }
  const first = await page(`limit=3&after=${before}`)
  expect([first.items.map(({ id }) => id), first.next, first.hasMore]).toEqual([
    ids.slice(0, 3),
    ids[2],
    true,
  ])
  const second = await page(`limit=3&after=${first.next}`)
  expect([second.items.map(({ id }) => id), second.next, second.hasMore]).toEqual([
    ids.slice(3),
    ids[4],
    false,
  ])
  const after = await page(`after=${ids[4]}`)
  expect(after).toEqual({ items: [], next: ids[4], hasMore: false })
  expect(await page('after=now')).toMatchObject({ items: [], hasMore: false })
})

test('an invalid cursor is refused, also by a stream', async () => {
  const { ask } = openNext()
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
  const door = openNext()
  const before = (await door.log.add(1)).at(-1)
  const old = await door.log.add(2, 'a line')
  const response = await door.ask('GET', `/api/v1/events?after=${before}`, { headers: stream })
  const ids = [...old, ...(await door.log.add(2))]
  const text = await readUntil(response, isIn(ids[3]))
  expect(idsIn(text)).toEqual(ids)
  expect(toFrames(text)[0]).toEqual([
    'call.output',
    {
      id: ids[0],
      seq: 1,
      at: expect.any(String),
      tenant: 'default',
      principal: { kind: 'system', id: 'test' },
      type: 'call.output',
      data: 'a line',
    },
    ids[0],
  ])
})

test('a stream resumes after Last-Event-ID, which wins over after', async () => {
  const door = openNext()
  const ids = await door.log.add(4)
  const headers = { ...stream, 'last-event-id': ids[1] ?? '' }
  const response = await door.ask('GET', `/api/v1/events?after=${ids[0]}`, { headers })
  expect(idsIn(await readUntil(response, isIn(ids[3])))).toEqual(ids.slice(2))
})

test('a stream from now leaves out what was', async () => {
  const door = openNext()
  await door.log.add(3)
  const response = await door.ask('GET', '/api/v1/events?after=now', { headers: stream })
  const last = (await door.log.add(1)).at(-1)
  expect(idsIn(await readUntil(response, isIn(last)))).toEqual([last])
})

test('no event is lost or doubled while pages are read and events come at once', async () => {
  const door = openNext()
  const response = await door.ask('GET', '/api/v1/events?limit=7&after=now', { headers: stream })
  const ids: string[] = []
  const writing = (async () => {
    for (let i = 0; i < 40; i += 1) {
      ids.push(...(await door.log.add(5)))
      await new Promise((resolve) => setTimeout(resolve, i % 3))
    }
  })()
  const text = await readUntil(response, (read) => idsIn(read).length >= 200)
  await writing
  expect(idsIn(text)).toEqual(ids)
})

test('the stream of one call ends after the event that settles it', async () => {
  const door = await openDoor()
  const watchers = door.log.watchers
  const callId = await call(door, 'report.build')
  await door.log.add(1)
  const response = await door.ask('GET', `/api/v1/events?callId=${callId}`, { headers: stream })
  const frames = await readFrames(response)
  expect(frames.map(([event]) => event)).toEqual([
    'call.requested',
    'call.queued',
    'call.started',
    'call.output',
    'call.completed',
    'end',
  ])
  expect(frames.at(-1)).toEqual(['end', { callId }])
  expect(door.log.watchers).toBe(watchers)
})

test('it ends as well when the reader asked for other types only', async () => {
  const door = openNext()
  const callId = await call(door, 'report.build')
  const path = `/api/v1/events?callId=${callId}&types=call.output`
  const frames = await readFrames(await door.ask('GET', path, { headers: stream }))
  expect(frames.map(([event]) => event)).toEqual(['call.output', 'end'])
})

test('it ends soon for a reader that comes back after the last event', async () => {
  const door = openNext()
  const callId = await call(door, 'text.echo')
  const headers = { ...stream, 'last-event-id': (await door.log.add(1)).at(-1) ?? '' }
  const frames = await readFrames(
    await door.ask('GET', `/api/v1/events?callId=${callId}`, { headers }),
  )
  expect(frames).toEqual([['end', { callId }]])
})

test('a reader that takes nothing holds up the reading: one page is in memory, not the log', async () => {
  const door = await openDoor()
  await door.log.add(1_000)
  const before = door.log.reads
  const response = await door.ask('GET', '/api/v1/events?limit=10', { headers: stream })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(door.log.reads - before).toBeLessThan(4)
  const reader = response.body?.getReader()
  for (let i = 0; i < 5; i += 1) await reader?.read()
  expect(door.log.reads - before).toBeLessThan(10)
  await reader?.cancel()
})

test('a burst wakes a reader for few pages, not for each event', async () => {
  const door = await openDoor()
  const response = await door.ask('GET', '/api/v1/events?after=now', { headers: stream })
  const before = door.log.reads
  const last = (await door.log.add(90)).at(-1)
  await readUntil(response, isIn(last))
  expect(door.log.reads - before).toBeLessThan(5)
})

test('a reader that leaves is forgotten, also one that leaves before the first page', async () => {
  const door = await openDoor()
  const { log } = door
  const watchers = log.watchers
  const response = await door.ask('GET', '/api/v1/events', { headers: stream })
  expect(log.watchers).toBe(watchers + 1)
  await response.body?.cancel()
  expect(log.watchers).toBe(watchers)
  const leave = new AbortController()
  const asking = door.ask('GET', '/api/v1/events', { headers: stream, signal: leave.signal })
  leave.abort()
  await asking
  expect(log.watchers).toBe(watchers)
})

test('streams are counted, and one too many is refused', async () => {
  const door = openNext({ limits: { maxStreams: 1 } })
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
  const door = await openDoor({ limits: { maxStreams: 4 } })
  const watchers = door.log.watchers
  for (let i = 0; i < 10; i += 1) {
    const head = await door.ask('HEAD', '/api/v1/events', { headers: stream })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json',
      '',
    ])
  }
  expect(door.log.watchers).toBe(watchers)
  expect((await door.ask('HEAD', '/api/v1/events?after=nonsense')).status).toBe(400)
})

test('one caller gets a quarter of the streams, and leaves the rest to others', async () => {
  const door = openNext({ limits: { maxStreams: 8 } })
  const other = { ...stream, ...bearer(door.keys.other) }
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
  const door = await openDoor({ limits: { heartbeatMs: 15 } })
  const watchers = door.log.watchers
  const response = await door.ask('GET', quiet, { headers: stream })
  const [seen, rest] = response.body?.tee() ?? []
  await readUntil(new Response(seen), (text) => text.includes(': heartbeat'))
  door.api.authenticate = async () => undefined
  const text = await new Response(rest).text()
  expect(toFrames(text)).toEqual([['error', expect.objectContaining({ code: 'unauthorized' })]])
  expect(door.log.watchers).toBe(watchers)
})

test('a busy stream of a revoked key gives nothing more after two seconds', async () => {
  const door = openNext()
  const before = (await door.log.add(1)).at(-1)
  await door.log.add(1)
  const response = await door.ask('GET', `/api/v1/events?after=${before}`, { headers: stream })
  door.api.authenticate = async () => undefined
  setTimeout(() => void door.log.add(1), 2_200)
  const frames = await readFrames(response)
  expect(frames.map(([event]) => event)).toEqual(['call.output', 'error'])
})

test('a reader of rare events gets heartbeats while others happen', async () => {
  const door = openNext({ limits: { heartbeatMs: 60 } })
  const response = await door.ask('GET', quiet, { headers: stream })
  const work = { isOver: false }
  const busy = (async () => {
    while (!work.isOver) await door.log.add(1)
  })()
  const beats = (text: string) => text.split(': heartbeat').length - 1
  expect(beats(await readUntil(response, (text) => beats(text) >= 3))).toBe(3)
  work.isOver = true
  await busy
})

test('a quiet stream beats, and draining ends it with a word', async () => {
  const door = openNext({ limits: { heartbeatMs: 15 } })
  const response = await door.ask('GET', quiet, { headers: stream })
  const [seen, rest] = response.body?.tee() ?? []
  await readUntil(new Response(seen), (text) => text.split(': heartbeat').length > 2)
  door.app.drain()
  const text = await new Response(rest).text()
  expect(text.endsWith(': the server is shutting down\n\nretry: 1000\n\n')).toBe(true)
})

test('a store that fails in the middle ends the stream with the problem', async () => {
  const door = await openDoor()
  const response = await door.ask('GET', '/api/v1/events?after=now', {
    headers: { ...stream, 'x-request-id': 'r1' },
  })
  door.log.failure = new Error('secret inside')
  await door.log.add(1)
  const frames = await readFrames(response)
  expect(frames).toEqual([
    ['error', expect.objectContaining({ code: 'internal', requestId: 'r1' })],
  ])
  expect(JSON.stringify(frames)).not.toContain('secret inside')
})
