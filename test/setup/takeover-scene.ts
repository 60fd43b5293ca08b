import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CallRecord } from '../../src/core/kernel/call.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const masterKey = Buffer.alloc(32, 7).toString('base64')
const toolFile = `
import { appendFileSync } from 'node:fs'
import { defineTool, z } from ${JSON.stringify(path.join(import.meta.dirname, '../../src/app/index.ts'))}
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
export async function createTakeoverScene() {
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

/** Calls a tool of the scene. */
export async function call(server: ServerProcess, tool: string): Promise<string> {
  const answer = await server.request(`/api/v1/tools/${tool}/calls`, { json: {} })
  const { callId } = (await answer.json()) as { callId: string }
  return callId
}

/** A call as the server has it, when it has ended or after these seconds. */
export async function find(server: ServerProcess, callId: string, wait = 0): Promise<CallRecord> {
  const answer = await server.request(`/api/v1/calls/${callId}?wait=${wait}`)
  return (await answer.json()) as CallRecord
}

/** Waits until it is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}
