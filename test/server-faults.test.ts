import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallResult } from '../src/core/call.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const drainMs = 500

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib faults '))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(
    path.join(folder, 'toolcrib.config.json'),
    JSON.stringify({ tools: ['tools'], limits: { drainMs } }),
  )
  await writeTool('float', `void Promise.reject(new Error('nobody awaits me'))`)
  await writeTool('timer', `setTimeout(() => { throw new Error('thrown by a timer') })`)
  await writeTool('interval', `setInterval(() => undefined, 1000)`)
  await writeTool('forever', `return new Promise(() => undefined)`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function writeTool(name: string, statement: string): Promise<void> {
  await writeFile(
    path.join(folder, 'tools', `${name}.tool.ts`),
    `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'fault.${name}', description: 'Leaves something behind when it is called.', effect: 'read',
  inputSchema: z.object({}),
  execute: () => { ${statement}; return 'done' },
})
`,
  )
}

function start(): Promise<ServerProcess> {
  return startServerProcess({ cwd: folder, data: path.join(folder, 'data') })
}

async function call(server: ServerProcess, tool: string): Promise<CallResult> {
  const response = await server.request(`/api/v1/tools/fault.${tool}/calls`, { json: {} })
  return (await response.json()) as CallResult
}

test('a floating rejection and a throwing timer of a tool leave the server running', async () => {
  const server = await start()
  const results = [await call(server, 'float'), await call(server, 'timer')]
  expect(results.map(({ status, output }) => [status, output])).toEqual([
    ['completed', 'done'],
    ['completed', 'done'],
  ])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await server.request('/readyz')).status).toBe(200)
  const figures = (await (await server.request('/metrics')).text()).match(/^toolcrib_stray.*$/gm)
  expect(figures).toEqual([
    'toolcrib_stray_errors_total{kind="rejection"} 1',
    'toolcrib_stray_errors_total{kind="exception"} 1',
  ])
  const log = server.errors()
  expect(log).toMatch(/a promise that nobody awaits was rejected.*nobody awaits me\n\s+at /)
  expect(log).toMatch(/the state of the process may be damaged.*thrown by a timer\n\s+at /)
  expect(await server.stop()).toBe(0)
})

test('SIGTERM ends the process although a tool left an interval running', async () => {
  const server = await start()
  expect((await call(server, 'interval')).status).toBe('completed')
  const before = Date.now()
  expect(await server.stop()).toBe(0)
  expect(Date.now() - before).toBeLessThan(drainMs + 4000)
})

test('a caller whose call is cut off by the drain is told so', async () => {
  const server = await start()
  const calling = call(server, 'forever')
  await expect
    .poll(async () => (await server.request('/metrics')).text())
    .toContain('toolcrib_calls_running 1')
  const stopping = server.stop()
  const { status, error } = await calling
  expect([status, error?.code]).toEqual(['failed', 'interrupted'])
  expect(await stopping).toBe(0)
})

test('metrics ask for the token of the environment, and the start is refused without one', async () => {
  const config = path.join(folder, 'guarded.config.json')
  await writeFile(config, JSON.stringify({ server: { metricsTokenEnv: 'CRIB_SCRAPE' } }))
  const startGuarded = (env: Record<string, string>) =>
    startServerProcess({
      cwd: folder,
      data: path.join(folder, 'data'),
      args: ['--config', config],
      env,
    })
  await expect(startGuarded({})).rejects.toThrow('names CRIB_SCRAPE, which is not set')
  const server = await startGuarded({ CRIB_SCRAPE: 'scrape-me' })
  const statusFor = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await server.request('/metrics', { headers })).status
  }
  expect([await statusFor(server.key), await statusFor('scrape-me')]).toEqual([401, 200])
  expect(await server.stop()).toBe(0)
})
