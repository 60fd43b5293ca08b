import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longestSilence } from '../setup/longest-silence.ts'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'

const execute = promisify(execFile)
const reader = path.join(import.meta.dirname, '../fixtures/read-streams.ts')

let folder: string
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib stalls '))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(
    path.join(folder, 'tools/take.tool.ts'),
    `import { defineTool, z } from 'toolcrib'
const facts = { description: 'Takes what it is given.', effect: 'read' } as const
const item = z.object({ a: z.string(), b: z.number().nullable() })
export const list = defineTool({
  ...facts,
  name: 'take.list',
  inputSchema: z.object({ items: z.array(item) }),
  execute: ({ items }) => items.length,
})
export const text = defineTool({
  ...facts,
  name: 'take.text',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => text,
})`,
  )
  server = await startServerProcess({ cwd: folder, data: path.join(folder, 'data') })
})
afterAll(async () => {
  await server.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

const call = (tool: string, body: string) =>
  server.request(`/api/v1/tools/${tool}/calls`, { method: 'POST', body })

/** How long nobody else was answered while so many calls were made at once. */
async function silenceOf(body: string, { count, status }: { count: number; status: number }) {
  return longestSilence(server.url, async () => {
    const answers = Array.from({ length: count }, () => call('take.list', body))
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(status)
  })
}

test('large input that does not fit holds up others hardly longer than one that fits', async () => {
  const wrong = `{"input":{"items":[${'1,'.repeat(400_000)}1]}}`
  const right = `{"input":{"items":[${'{"a":"","b":null},'.repeat(45_000)}{"a":"","b":1}]}}`
  const fitting = await silenceOf(right, { count: 1, status: 200 })
  expect(await silenceOf(wrong, { count: 1, status: 422 })).toBeLessThan(3 * fitting)
  expect(await silenceOf(wrong, { count: 6, status: 422 })).toBeLessThan(4 * fitting)
})

test('reading or exporting a long log from its beginning holds up nobody else', async () => {
  const body = JSON.stringify({ input: { text: 'x'.repeat(1800) } })
  for (let round = 0; round < 150; round += 1) {
    await Promise.all(Array.from({ length: 20 }, () => call('take.text', body)))
  }
  const newest = await server.request('/api/v1/events?last=1')
  const { items } = (await newest.json()) as { items: { id: string }[] }
  const end = `id: ${items[0]?.id}`
  const readings = [
    ['/api/v1/events', '1', end],
    ['/api/v1/events', '20', end],
    ['/api/v1/audit/export?format=csv', '1'],
  ] as const
  for (const [route, count, ...until] of readings) {
    const startedAt = performance.now()
    const args = [reader, server.url + route, server.key, count, ...until]
    const silence = await longestSilence(server.url, () => execute(process.execPath, args))
    // Read in one go, it takes two thirds of the time and more.
    const share = silence / (performance.now() - startedAt)
    expect(share, `${count} × ${route}`).toBeLessThan(0.4)
  }
})
