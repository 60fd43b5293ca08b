import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'vitest'
import type { CallRecord } from '../src/core/kernel/call.ts'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

/** The lease of a job, and what finding that it is over may take. */
const leaseMs = 10_000
const noticeMs = 3000
/** What a busy machine may add: the long run has none of the other tests beside it. */
const slackMs = process.env['TOOLCRIB_TEST_LONG'] === undefined ? 60_000 : 4000

const masterKey = Buffer.alloc(32, 7).toString('base64')
const toolFile = `
import { appendFileSync } from 'node:fs'
import { defineTool, z } from ${JSON.stringify(path.join(import.meta.dirname, '../src/app/index.ts'))}
const journal = (line) => appendFileSync(process.env.JOURNAL, line + ' ' + process.pid + ' ' + Date.now() + '\\n')
const long = (name, idempotent) => defineTool({
  name, description: 'Takes long where it runs first.', effect: 'write', idempotent,
  execution: 'background', timeoutMs: 60_000, inputSchema: z.object({}),
  async execute() {
    journal(name)
    if (process.env.IS_FIRST) await new Promise((resolve) => setTimeout(resolve, 50_000))
    return process.pid
  },
})
export const again = long('long.again', true)
export const once = long('long.once', false)
export const poison = defineTool({
  name: 'long.poison', description: 'Takes its server down.', effect: 'read',
  execution: 'background', inputSchema: z.object({}),
  execute() { journal('long.poison'); process.kill(process.pid, 'SIGKILL') },
})
`

/** Servers that share a folder, and the journal of what their tools began. */
async function createScene() {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib takeover '))
  await writeFile(path.join(folder, 'long.tool.ts'), toolFile)
  const servers: ServerProcess[] = []
  return {
    async start(name: string, args: string[], env = {}): Promise<ServerProcess> {
      const server = await startServerProcess({
        cwd: folder,
        data: path.join(folder, name),
        args: ['--tools', folder, ...args],
        env: { JOURNAL: path.join(folder, 'journal'), TOOLCRIB_MASTER_KEY: masterKey, ...env },
      })
      servers.push(server)
      return server
    },
    async journal(): Promise<{ tool: string; pid: number; at: number }[]> {
      const text = await readFile(path.join(folder, 'journal'), 'utf8').catch(() => '')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const [tool = '', pid, at] = line.split(' ')
          return { tool, pid: Number(pid), at: Number(at) }
        })
    },
    async close() {
      for (const server of servers) await server.kill().catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function call(server: ServerProcess, tool: string): Promise<string> {
  const answer = await server.request(`/api/v1/tools/${tool}/calls`, { json: {} })
  const { callId } = (await answer.json()) as { callId: string }
  return callId
}

async function find(server: ServerProcess, callId: string, wait = 0): Promise<CallRecord> {
  const answer = await server.request(`/api/v1/calls/${callId}?wait=${wait}`)
  return (await answer.json()) as CallRecord
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}

// The one waits for a lease to end while the other starts its servers.
describe.concurrent('calls of a server that died', () => {
  test('are another’s within the lease and three seconds', async ({ expect, onTestFinished }) => {
    const { url, drop } = await createTempDatabase()
    onTestFinished(drop)
    const { start, journal, close } = await createScene()
    onTestFinished(close)
    const first = await start('first', ['--database', url], { IS_FIRST: 'yes' })
    const [again, once] = [await call(first, 'long.again'), await call(first, 'long.once')]
    await until(async () => (await journal()).length === 2)
    const second = await start('second', ['--database', url])
    await first.kill()
    const diedAt = Date.now()
    const [repeated, unknown] = await Promise.all([find(second, again, 30), find(second, once, 30)])
    expect([repeated.status, repeated.output, repeated.attempt]).toEqual([
      'completed',
      second.pid,
      2,
    ])
    expect([unknown.status, unknown.error?.code]).toEqual(['failed', 'outcome_unknown'])
    const runs = await journal()
    expect(runs.map(({ tool }) => tool).toSorted()).toEqual([
      'long.again',
      'long.again',
      'long.once',
    ])
    expect((runs.at(-1)?.at ?? 0) - diedAt).toBeLessThan(leaseMs + noticeMs + slackMs)
  })

  test('go on within five seconds of the restart of an embedded crib, which gives up one that takes it down each time', async ({
    expect,
    onTestFinished,
  }) => {
    const { start, journal, close } = await createScene()
    onTestFinished(close)
    const first = await start('data', [], { IS_FIRST: 'yes' })
    const long = await call(first, 'long.again')
    await until(async () => (await journal()).length === 1)
    await first.kill()
    let server = await start('data', [])
    const readyAt = Date.now()
    const { status, attempt } = await find(server, long, 30)
    expect([status, attempt]).toEqual(['completed', 2])
    expect(((await journal()).at(-1)?.at ?? 0) - readyAt).toBeLessThan(1000 + slackMs)

    const poisons = async () => (await journal()).filter(({ tool }) => tool === 'long.poison')
    const callId = await call(server, 'long.poison')
    for (let deaths = 1; deaths <= 4; deaths += 1) {
      await until(async () => (await poisons()).length >= deaths)
      await server.kill().catch(() => undefined)
      // One that takes up the call before it says that it is ready never does.
      const restarted = start('data', [])
      server = deaths < 4 ? await restarted.catch(() => server) : await restarted
    }
    const given = await find(server, callId, 20)
    expect([given.status, given.error?.code, (await poisons()).length]).toEqual([
      'failed',
      'interrupted',
      4,
    ])
  }, 180_000)
})
