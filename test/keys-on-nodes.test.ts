import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

let folder: string
let database: Awaited<ReturnType<typeof createTempDatabase>>
let here: ServerProcess
let there: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib keys '))
  database = await createTempDatabase()
  const start = (name: string) =>
    startServerProcess({
      cwd: folder,
      data: path.join(folder, name),
      args: ['--database', database.url],
      env: { TOOLCRIB_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') },
    })
  here = await start('here')
  there = await start('there')
})
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()])
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Issued {
  key: { id: string }
  token: string
}

async function createKey(): Promise<Issued> {
  const body = { name: 'reader', scopes: ['tools.call', 'audit.read'] }
  return (await (await here.request('/api/v1/keys', { json: body })).json()) as Issued
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const statusThere = async (token: string) =>
  (await there.request('/api/v1/tools', { headers: bearer(token) })).status

/** A quiet stream; there are fifteen seconds between two of its heartbeats. `text` is all of it, once it has ended. */
async function openStream(token: string): Promise<{ text: Promise<string> }> {
  const headers = { ...bearer(token), accept: 'text/event-stream' }
  const answer = await there.request('/api/v1/events?after=now&types=schedule.fired', { headers })
  expect(answer.status).toBe(200)
  return { text: answer.text() }
}

test('a key that is revoked on one node ends its requests and its streams on the other', async () => {
  const { key, token } = await createKey()
  const other = await createKey()
  const { text } = await openStream(token)
  const kept = await openStream(other.token)
  expect(await statusThere(token)).toBe(200)
  const revoked = await here.request(`/api/v1/keys/${key.id}`, { method: 'DELETE' })
  expect(revoked.status).toBe(204)
  await expect.poll(() => statusThere(token), { interval: 10 }).toBe(401)
  // Ended by the news and not by a heartbeat: there was one at its beginning, and none since.
  const said = await text
  expect(said).toContain('"code":"unauthorized"')
  expect(said.match(/: heartbeat/g)).toHaveLength(1)
  const still = await Promise.race([kept.text, Promise.resolve('open')])
  expect(still).toBe('open')
  await here.request(`/api/v1/keys/${other.key.id}`, { method: 'DELETE' })
  expect(await kept.text).toContain('"code":"unauthorized"')
})

test('the old secret of a rotated key works on both nodes for as long as it was said', async () => {
  const { key, token } = await createKey()
  const rotate = async (body: object) =>
    (await (await here.request(`/api/v1/keys/${key.id}/rotate`, { json: body })).json()) as Issued
  const second = await rotate({ overlapSeconds: 3600 })
  expect(second.key.id).toBe(key.id)
  expect([await statusThere(token), await statusThere(second.token)]).toEqual([200, 200])
  const third = await rotate({})
  await expect.poll(() => statusThere(token), { interval: 10 }).toBe(401)
  expect([await statusThere(second.token), await statusThere(third.token)]).toEqual([401, 200])
  const tooLong = await here.request(`/api/v1/keys/${key.id}/rotate`, {
    json: { overlapSeconds: 604_801 },
  })
  expect(tooLong.status).toBe(400)
})
