import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'
import { crashStores } from '../setup/crash-stores.ts'

const hourMs = 3_600_000
const preload = pathToFileURL(path.join(import.meta.dirname, '../fixtures/set-clock.ts')).href

let folder: string
let server: ServerProcess
const place = (name: string) => path.join(folder, name)
const setClock = (offsetMs: number) => writeFile(place('clock'), String(offsetMs))

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib clocks '))
  await mkdir(place('tools'))
  await writeFile(place('marks'), '')
  await setClock(0)
  await writeFile(
    place('tools/mark.tool.ts'),
    `import { appendFileSync } from 'node:fs'
import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'clock.mark',
  description: 'Leaves a mark.',
  effect: 'write',
  inputSchema: z.object({ tag: z.string() }),
  execute: ({ tag }) => appendFileSync(${JSON.stringify(place('marks'))}, tag + '\\n'),
})`,
  )
})
afterEach(async () => {
  await server.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

/** A server whose clock the test sets. */
async function start(database?: string): Promise<void> {
  server = await startServerProcess({
    cwd: folder,
    data: place('data'),
    args: database === undefined ? [] : ['--database', database],
    env: {
      NODE_OPTIONS: `--import=${preload} --disable-warning=ExperimentalWarning`,
      TEST_CLOCK_FILE: place('clock'),
    },
  })
}

async function send<T>(route: string, json: object): Promise<T> {
  const response = await server.request(`/api/v1${route}`, { json })
  const answer = (await response.json()) as T
  expect(response.ok, JSON.stringify(answer)).toBe(true)
  return answer
}

const schedule = (tag: string, when: object) =>
  send('/schedules', { name: tag, tool: 'clock.mark', input: { tag }, when })

async function marks(tag: string): Promise<number> {
  const lines = (await readFile(place('marks'), 'utf8')).split('\n')
  return lines.filter((line) => line === tag).length
}

const patience = { timeout: 40_000, interval: 100 }

test.each(crashStores('embedded'))(
  'a clock that is put back two hours stops neither schedules nor delayed calls: %s',
  async (store) => {
    await start(store === 'postgres' ? (await createTempDatabase()).url : undefined)
    await schedule('tick', { every: '1s' })
    await expect.poll(() => marks('tick'), patience).toBeGreaterThan(0)
    await send('/tools/clock.mark/calls', { input: { tag: 'before' }, delay: 3 })
    await setClock(-2 * hourMs)
    await send('/tools/clock.mark/calls', { input: { tag: 'after' }, delay: 1 })
    const before = await marks('tick')
    await expect.poll(() => marks('before'), patience).toBe(1)
    await expect.poll(() => marks('after'), patience).toBe(1)
    await expect.poll(() => marks('tick'), patience).toBeGreaterThan(before + 1)
  },
)

test('a node an hour ahead of its database runs nothing early, and ends no key early', async () => {
  await setClock(hourMs)
  await start((await createTempDatabase()).url)
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await schedule('early', { at: inMinutes(20) })
  const { token } = await send<{ token: string }>('/keys', {
    name: 'short',
    scopes: ['tools.call'],
    expiresAt: inMinutes(20),
  })
  // Whatever is due by the node's own clock would have run long before the second of these.
  await schedule('tick', { every: '1s' })
  await expect.poll(() => marks('tick'), patience).toBeGreaterThan(1)
  expect(await marks('early')).toBe(0)
  const asKey = { headers: { authorization: `Bearer ${token}` } }
  expect((await server.request('/api/v1/me', asKey)).status).toBe(200)
})
