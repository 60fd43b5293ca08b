import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallResult } from '../src/core/kernel/call.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const drainMs = 500
const scrapeToken = 'scrape-me'
const secret = 'sk_live_fault_4242'

let folder: string
/** One server goes through all of it, to its end. */
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib faults '))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(
    path.join(folder, 'toolcrib.config.json'),
    JSON.stringify({
      tools: ['tools'],
      limits: { drainMs },
      server: { metricsTokenEnv: 'CRIB_SCRAPE' },
    }),
  )
  await writeTool('float', `void Promise.reject(new Error('nobody awaits me'))`)
  await writeTool('timer', `setTimeout(() => { throw new Error('thrown by a timer') })`)
  await writeTool(
    'leak',
    `console.error('printed', secrets.fault_key); setTimeout(() => { throw new Error('left ' + secrets.fault_key) })`,
    `secrets: ['fault_key'],`,
  )
  await writeTool(
    'grow',
    `let text = ''
    for (const letter of 'before ' + secrets.fault_key + ' after') {
      text += letter
      progress({ message: text })
      yield { text }
      // So that each is told by itself.
      await new Promise((resolve) => setTimeout(resolve, 10))
    }`,
    `secrets: ['fault_key'],`,
  )
  await writeFile(path.join(folder, 'tools', 'exit.tool.ts'), 'process.exit(3)')
  await writeFile(path.join(folder, 'tools', '._float.tool.ts'), 'not a program')
  await writeTool('interval', `setInterval(() => undefined, 1000)`)
  await writeTool('forever', `return new Promise(() => undefined)`)
})
afterAll(async () => {
  await server?.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

async function writeTool(name: string, statement: string, facts = ''): Promise<void> {
  const execute = statement.includes('yield') ? 'async *execute' : 'execute'
  await writeFile(
    path.join(folder, 'tools', `${name}.tool.ts`),
    `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'fault.${name}', description: 'Leaves something behind when it is called.', effect: 'read',
  inputSchema: z.object({}), ${facts}
  ${execute}(_input, { secrets, progress }) { ${statement}; return 'done' },
})
`,
  )
}

async function call(tool: string): Promise<CallResult> {
  const response = await server.request(`/api/v1/tools/fault.${tool}/calls`, { json: {} })
  return (await response.json()) as CallResult
}

const start = (env: Record<string, string>) =>
  startServerProcess({ cwd: folder, data: path.join(folder, 'data'), env })

async function readMetrics(token = scrapeToken): Promise<Response> {
  return server.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
}

test('metrics ask for the token of the environment, and the start is refused without one', async () => {
  await expect(start({})).rejects.toThrow('names CRIB_SCRAPE, which is not set')
  server = await start({ CRIB_SCRAPE: scrapeToken })
  const answers = [await readMetrics(server.key), await readMetrics()]
  expect(answers.map(({ status }) => status)).toEqual([401, 200])
})

test('what a tool prints and leaves behind is in the log without its secrets', async () => {
  const value = secret
  const put = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  }
  expect((await server.request('/api/v1/secrets/fault_key', put)).ok).toBe(true)
  expect(await call('leak')).toMatchObject({ status: 'completed' })
  await expect.poll(() => server.errors()).toContain('left [redacted:fault_key]')
  expect(server.errors()).toContain('printed [redacted:fault_key]')
  expect(server.errors()).not.toContain(value)
})

test('a stream that grows, and its record, show no beginning of a secret', async () => {
  const stream = await server.request('/api/v1/tools/fault.grow/calls', {
    json: {},
    headers: { accept: 'text/event-stream' },
  })
  const told = await stream.text()
  const [callId = ''] = /call_[0-9a-f]{32}/.exec(told) ?? []
  const events = await server.request(`/api/v1/events?callId=${callId}`)
  const record = await events.text()
  for (const text of [told, record]) {
    expect(text).toContain('before [redacted:fault_key] after')
    expect(text).not.toContain(secret.slice(0, 8))
  }
})

test('a tool file that ends the process is left out, and dot files are not read', async () => {
  const checked = await server.request('/api/v1/tool-files')
  expect(await checked.json()).toMatchObject({ items: [{ file: expect.stringMatching(/exit/) }] })
})

test('a floating rejection and a throwing timer of a tool leave the server running', async () => {
  const results = [await call('float'), await call('timer')]
  expect(results.map(({ status, output }) => [status, output])).toEqual([
    ['completed', 'done'],
    ['completed', 'done'],
  ])
  const figures = async () => (await (await readMetrics()).text()).match(/^toolcrib_stray.*$/gm)
  await expect
    .poll(figures)
    .toEqual([
      'toolcrib_stray_errors_total{kind="rejection"} 1',
      'toolcrib_stray_errors_total{kind="exception"} 2',
    ])
  expect((await server.request('/readyz')).status).toBe(200)
  const log = server.errors()
  expect(log).toMatch(/Unhandled promise rejection.*nobody awaits me\\n\s+at /)
  expect(log).toMatch(/its state may be damaged.*thrown by a timer\\n\s+at /)
})

test('SIGTERM ends the process although a tool left an interval running, and a caller whose call is cut off by the drain is told so', async () => {
  expect((await call('interval')).status).toBe('completed')
  const calling = call('forever')
  await expect.poll(async () => (await readMetrics()).text()).toContain('toolcrib_calls_running 1')
  const before = Date.now()
  const stopping = server.stop()
  const { status, error } = await calling
  expect([status, error?.code]).toEqual(['failed', 'interrupted'])
  expect(await stopping).toBe(0)
  expect(Date.now() - before).toBeLessThan(drainMs + 60_000)
})
