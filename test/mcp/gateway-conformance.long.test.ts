import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../setup/gateway-crib.ts'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'
import { type KeyProxy, openKeyProxy } from './key-proxy.ts'

const root = path.join(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const upstream = path.join(import.meta.dirname, 'upstream/conformance-server.ts')
const run = promisify(execFile)

let folder: string
let server: ServerProcess
let proxy: KeyProxy

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-conformance-'))
  const fixture = { command: process.execPath, args: [upstream] }
  const config = JSON.stringify({ mcpServers: { fixture } })
  await writeFile(path.join(folder, 'toolcrib.config.json'), config)
  server = await startServerProcess({ cwd: folder, data: path.join(folder, 'data') })
  proxy = await openKeyProxy(server.url, server.key)
  await until(async () => {
    const answer = await server.request('/api/v1/tools?source=gateway')
    return ((await answer.json()) as { items: unknown[] }).items.length > 20
  })
})

afterAll(async () => {
  await proxy?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The scenarios that count, and what came of each: the server is an SDK's, on stdio behind our gateway. */
async function conform(requirements: string): Promise<{ scenarios: number; failing: string[] }> {
  const url = `${proxy.url}/mcp/servers/fixture`
  const args = [suite, 'server', '--url', url, '--requirements', requirements, '-o', folder]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout: string }) => error,
  )
  const [, summary = '', rest = ''] = stdout.split(/=== SUMMARY ===|Not scored for/)
  const uncounted = new Set(Array.from(rest.matchAll(/[✓✗] ([\w-]+) \(/g), ([, name]) => name))
  const all = Array.from(summary.matchAll(/^([✓✗]) ([\w-]+): .*$/gm))
  const counted = all.filter(([, , name]) => !uncounted.has(name))
  return {
    scenarios: counted.length,
    failing: counted.filter(([, mark]) => mark === '✗').map(([line]) => line),
  }
}

test(
  'every scored scenario of 2025-11-25 passes through the gateway',
  { timeout: 240_000 },
  async () => {
    expect(await conform('2025-11-25')).toEqual({ scenarios: 30, failing: [] })
  },
)

test(
  'every scored scenario of 2026-07-28 passes through the gateway',
  { timeout: 240_000 },
  async () => {
    expect(await conform('2026-07-28')).toEqual({ scenarios: 37, failing: [] })
  },
)
