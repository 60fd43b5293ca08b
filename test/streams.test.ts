import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSseReaders } from '../bench/sse-readers.ts'
import type { EventPage } from '../src/core/events/event-log.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'
import { variants } from './setup/run-length.ts'

const example = path.join(import.meta.dirname, '../examples/crib')
const input = { initialCost: 50_000, yearlyBenefit: 30_000, yearlyRunningCost: 5_000, years: 5 }

let folder: string
let server: ServerProcess
let headers: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib streams '))
  await cp(example, path.join(folder, 'crib'), { recursive: true })
  server = await startServerProcess({
    cwd: path.join(folder, 'crib'),
    data: path.join(folder, 'data'),
    env: { CRIB_NOTES_FILE: path.join(folder, 'notes.json') },
  })
  headers = { authorization: `Bearer ${server.key}` }
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function callMany(count: number): Promise<void> {
  for (let made = 0; made < count; made += 10) {
    const route = '/api/v1/tools/analysis.roi/calls'
    const answers = Array.from({ length: 10 }, () => server.request(route, { json: { input } }))
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
  }
}

/** The ids of all events after a cursor, page by page. */
async function readIds(after: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = after; ;) {
    const answer = await server.request(`/api/v1/events?limit=1000&after=${cursor}`)
    const page = (await answer.json()) as EventPage
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next
    if (!page.hasMore) return ids
  }
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function endOfLog(): Promise<string> {
  const answer = await server.request('/api/v1/events?after=now')
  return ((await answer.json()) as EventPage).next
}

test.each(variants([200], [1_000]))(
  '%i readers of one stream are each given every event, also those that dawdle',
  async (count) => {
    const start = await endOfLog()
    const url = new URL(`${server.url}/api/v1/events?after=${start}`)
    const readers = await openSseReaders(count, url, headers)
    readers.pause(0, 100)
    await callMany(50)
    // A reader that takes nothing holds up nobody else.
    await expect.poll(() => readers.countWith(150)).toBeGreaterThanOrEqual(count - 100)
    readers.resume()
    await callMany(10)
    await readers.until(180)
    expect(await readIds(start)).toEqual(readers.ids)
    // The embedded database takes more for a moment after its start, readers or not.
    const isLinux = process.platform === 'linux'
    if (isLinux) await expect.poll(residentMegabytes).toBeLessThan(600)
    readers.close()
  },
)

test('readers that come late, at one place or at many, are given what they missed and what comes', async () => {
  const start = await endOfLog()
  await callMany(20)
  const known = await readIds(start)
  const early = await openSseReaders(
    50,
    new URL(`${server.url}/api/v1/events?after=${start}`),
    headers,
  )
  const middle = known[31] ?? ''
  const late = await openSseReaders(50, new URL(`${server.url}/api/v1/events`), {
    ...headers,
    'last-event-id': middle,
  })
  await callMany(10)
  await Promise.all([early.until(90), late.until(90 - 32)])
  const all = await readIds(start)
  expect([early.ids, late.ids]).toEqual([all, all.slice(32)])
  early.close()
  late.close()
})

/** The first changes that a key hears of after `meanwhile`, up to one that tells of `until`. */
async function hearChanges(key: string, until: string, meanwhile: () => Promise<void>) {
  const leaving = new AbortController()
  const answer = await fetch(`${server.url}/api/v1/changes`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  expect(answer.status).toBe(200)
  await meanwhile()
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes(until)) break
  }
  leaving.abort()
  const data = [...text.matchAll(/^data: (.*)$/gm)].map((line) => line[1] ?? '')
  return data.map((line) => JSON.parse(line) as { type: string; callId: string })
}

test('whoever may not read the log hears of its own calls alone, and never what was in them', async () => {
  const made = await server.request('/api/v1/keys', {
    json: { name: 'quiet', scopes: ['tools.call'] },
  })
  const { token } = (await made.json()) as { token: string }
  const route = '/api/v1/tools/analysis.roi/calls'
  let own = ''
  const heard = await hearChanges(token, 'call.completed', async () => {
    await callMany(10)
    const answer = await server.request(route, {
      json: { input },
      headers: { authorization: `Bearer ${token}` },
    })
    own = ((await answer.json()) as { callId: string }).callId
  })
  expect(heard.map(({ callId }) => callId)).toEqual(heard.map(() => own))
  expect(heard.map(({ type }) => type)).toEqual(expect.arrayContaining(['call.completed']))
  expect(JSON.stringify(heard)).not.toContain('initialCost')
  const all = await hearChanges(server.key, 'call.completed', () => callMany(10))
  expect(all.some(({ callId }) => callId !== own)).toBe(true)
})

test('changes are told as a stream only', async () => {
  const answer = await server.request('/api/v1/changes')
  expect(answer.status).toBe(400)
})
