import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const masterKey = Buffer.alloc(32, 7).toString('base64')
const toolFile = `
import { defineTool, z } from ${JSON.stringify(path.join(import.meta.dirname, '../src/app/index.ts'))}
export const quick = defineTool({
  name: 'test.quick', description: 'Ends at once.', effect: 'read', inputSchema: z.object({}),
  execute: () => 1,
})
export const slow = defineTool({
  name: 'test.slow', description: 'Takes long.', effect: 'read', inputSchema: z.object({}),
  timeoutMs: 60_000,
  execute: (_input, { signal }) => new Promise((resolve) => {
    const timer = setTimeout(resolve, 50_000)
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve() })
  }),
})
`
/** When a silent node counts as dead. */
const nodeTimeoutMs = 2000

let folder: string
let database: Awaited<ReturnType<typeof createTempDatabase>>
let one: ServerProcess
let two: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib limits '))
  await writeFile(path.join(folder, 'test.tool.ts'), toolFile)
  const config = { tools: ['.'], limits: { nodeTimeoutMs } }
  await writeFile(path.join(folder, 'toolcrib.config.json'), JSON.stringify(config))
  database = await createTempDatabase()
  ;[one, two] = await Promise.all([start('one'), start('two')])
})
afterAll(async () => {
  for (const server of [one, two]) await server.kill().catch(() => undefined)
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function start(name: string): Promise<ServerProcess> {
  return startServerProcess({
    cwd: folder,
    data: path.join(folder, name),
    args: ['--database', database.url],
    env: { TOOLCRIB_MASTER_KEY: masterKey },
  })
}

const put = (server: ServerProcess, name: string, json: unknown) =>
  server.request(`/api/v1/limits/${name}`, { method: 'PUT', body: JSON.stringify(json) })
const call = (server: ServerProcess, tool: string) =>
  server.request(`/api/v1/tools/${tool}/calls`, { method: 'POST', json: { input: {} } })

test('a limit set at one server holds at the other within a second, and counts both', async () => {
  expect((await call(two, 'test.quick')).status).toBe(200)
  expect(
    (await put(one, 'pace', { of: 'tool', match: 'test.quick', callsPerMinute: 6 })).status,
  ).toBe(200)
  const before = performance.now()
  const statuses = async () => {
    const answers = [await call(one, 'test.quick'), await call(two, 'test.quick')]
    return answers.map(({ status }) => status)
  }
  const seen: number[] = []
  const last = () => seen.slice(-20)
  const hold = () => last().length === 20 && last().every((status) => status === 429)
  // The second server may have let some through before it heard of the limit.
  while (!hold() && performance.now() - before < 30_000) seen.push(...(await statuses()))
  expect(hold()).toBe(true)
  const refused = await call(two, 'test.quick')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30)
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 })
  const { items } = (await (await one.request('/api/v1/limits')).json()) as { items: object[] }
  expect(items).toMatchObject([
    { use: [{ subject: 'tool:test.quick', used: { callsPerMinute: 6 } }] },
  ])
  const events = await one.request('/api/v1/events?types=limit.reached')
  const told = ((await events.json()) as { items: { at: string }[] }).items
  // Once in a minute, and this may have gone on over the end of one.
  const minutes = told.map(({ at }) => at.slice(0, 16))
  expect([minutes.length > 0, new Set(minutes).size]).toEqual([true, minutes.length])
})

test('the places of a server that was killed come free for the others', async () => {
  await put(one, 'few', { of: 'tool', concurrent: 1 })
  const lost = call(one, 'test.slow').catch(() => undefined)
  const inUse = async () => {
    const { use } = (await (await two.request('/api/v1/limits/few')).json()) as { use: unknown[] }
    return use.length
  }
  await expect.poll(inUse).toBe(1)
  await expect.poll(async () => (await call(two, 'test.slow')).status).toBe(429)
  await one.kill()
  await lost
  const async = { method: 'POST', json: { input: {} }, headers: { prefer: 'respond-async' } }
  const queued = await two.request('/api/v1/tools/test.slow/calls', async)
  expect(queued.status).toBe(202)
  const { callId } = (await queued.json()) as { callId: string }
  const status = async () => {
    const found = await two.request(`/api/v1/calls/${callId}`)
    return ((await found.json()) as { status: string }).status
  }
  await expect.poll(status, { timeout: 60_000, interval: 200 }).toBe('running')
})
