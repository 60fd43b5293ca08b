import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'
import { type KeyProxy, openKeyProxy } from './key-proxy.ts'

const root = path.join(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const run = promisify(execFile)

let folder: string
let server: ServerProcess
let proxy: KeyProxy

beforeAll(async () => {
  // A copy: its tools add and remove files, which the server watches.
  folder = await mkdtemp(path.join(tmpdir(), 'mcp-conformance-'))
  const crib = path.join(folder, 'crib')
  await cp(path.join(import.meta.dirname, 'fixture'), crib, { recursive: true })
  server = await startServerProcess({ cwd: crib, data: path.join(folder, 'data'), command: 'dev' })
  proxy = await openKeyProxy(server.url, server.key)
})

afterAll(async () => {
  await proxy?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What came of each scenario, as the suite sums it up. */
async function conform(requirements: string): Promise<Record<string, string>> {
  const args = [suite, 'server', '--url', `${proxy.url}/mcp`, '--requirements', requirements]
  const { stdout } = await run(process.execPath, [...args, '-o', folder], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error)
  const lines = stdout.slice(stdout.indexOf('=== SUMMARY')).split('\n')
  const found = lines.flatMap((line) => {
    const match = /^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/.exec(line)
    return match === null ? [] : [[match[2], match[1] === '✓' ? 'passes' : line] as const]
  })
  return Object.fromEntries(found)
}

const inBothEras = [
  'completion-complete',
  'dns-rebinding-protection',
  'json-schema-2020-12',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'prompts-list',
  'resources-list',
  'resources-read-binary',
  'resources-read-text',
  'resources-templates-read',
  'server-sse-multiple-streams',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-simple-text',
  'tools-call-with-progress',
  'tools-list',
]

const in2025 = [
  ...inBothEras,
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'logging-set-level',
  'ping',
  'resources-subscribe',
  'resources-unsubscribe',
  'server-initialize',
  'server-session-lifecycle',
  'server-sse-polling',
  'tools-call-elicitation',
  'tools-call-sampling',
  'tools-call-with-logging',
]

const in2026 = [
  ...inBothEras,
  'caching',
  'http-custom-header-server-validation',
  'http-header-validation',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-list-roots',
  'input-required-result-basic-sampling',
  'input-required-result-capability-check',
  'input-required-result-ignore-extra-params',
  'input-required-result-missing-input-response',
  'input-required-result-multi-round',
  'input-required-result-multiple-input-requests',
  'input-required-result-non-tool-request',
  'input-required-result-request-state',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-unsupported-methods',
  'input-required-result-validate-input',
  'sep-2164-resource-not-found',
  'server-stateless',
  'tasks-capability-negotiation',
  'tasks-dispatch-and-envelope',
  'tasks-lifecycle',
  'tasks-mrtr-composition',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-request-state-removal',
  'tasks-required-task-error',
  'tasks-status-notifications',
  'tasks-wire-fields',
]

function allPass(scenarios: readonly string[]): Record<string, string> {
  return Object.fromEntries(scenarios.map((scenario) => [scenario, 'passes']))
}

test('every scenario of 2025-11-25 passes', { timeout: 180_000 }, async () => {
  expect(await conform('2025-11-25')).toEqual(allPass(in2025))
})

test('every scenario of 2026-07-28 passes, tasks included', { timeout: 180_000 }, async () => {
  expect(await conform('2026-07-28')).toEqual(allPass(in2026))
})
