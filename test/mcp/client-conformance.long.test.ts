import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stores } from '../../src/features/stores.ts'
import { openTestStore } from '../../src/testing/open-test-store.ts'
import { type ClientTask, runConformanceClient } from './conformance-client.ts'

const root = path.join(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** What the suite scores for each revision. Pinned: a scenario that is gone would pass unseen. */
const signIn = [
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
]
const scored: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    ...signIn,
  ],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    ...signIn,
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
  ],
}

/** The clients of all scenarios; each is asked for by an errand that the suite starts. */
let desk: Server
let store: Stores
beforeAll(async () => {
  store = await openTestStore()
  desk = createServer((request, response) => {
    void json(request)
      .then((task) => run(task as ClientTask))
      .then(
        () => response.writeHead(204).end(),
        (error: unknown) => response.writeHead(500).end(inspect(error)),
      )
  })
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  desk.close()
  await store.close()
})

/** The suite runs more than it scores, and waits for all. */
async function run(task: ClientTask): Promise<void> {
  const isScored = Object.values(scored).some((names) => names.includes(task.scenario))
  if (!isScored) throw new Error('is not scored')
  await runConformanceClient(task, store)
}

/** What is wrong with each scenario that counts, as the suite says it; nothing where all is well. */
async function runAll(revision: string): Promise<{ failed: string[]; ran: number }> {
  // The suite takes the command apart at its spaces, so that no path with one may be in it.
  const client = 'node test/mcp/conformance-errand.mjs'
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`,
    CONFORMANCE_CLIENT: `http://127.0.0.1:${(desk.address() as AddressInfo).port}/`,
  }
  const options = ['client', '--requirements', revision, '--command', client, '--verbose']
  // All at once on a busy machine: the suite's own thirty seconds were meant for one.
  options.push('--timeout', '120000')
  const said = await new Promise<string>((resolve) => {
    const settings = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, [suite, ...options], settings, (_error, stdout, stderr) =>
      resolve(`${stderr}\n${stdout}`),
    )
  })
  const [, summary = said] = said.split('=== SUITE SUMMARY ===')
  const ran = (scored[revision] ?? []).filter((name) => summary.includes(` ${name}: `))
  const isGood = (name: string) => new RegExp(` ${name}: [1-9]\\d* passed, 0 failed`).test(summary)
  const failed = ran.filter((name) => !isGood(name))
  return { failed: failed.length > 0 ? [...failed, said] : [], ran: ran.length }
}

test('every scenario that is scored is run', async () => {
  for (const [revision, scenarios] of Object.entries(scored)) {
    const listed = await new Promise<string>((resolve) => {
      const options = [suite, 'list', '--client', '--requirements', revision]
      execFile(process.execPath, options, (_error, stdout) => resolve(stdout))
    })
    const [, rest = ''] = listed.split('Client scenarios')
    const [section = ''] = rest.split('Run and reported')
    const names = [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name)
    expect(names).toEqual(scenarios)
  }
})

test("the gateway's client conforms to 2025-11-25", { timeout: 240_000 }, async () => {
  expect(await runAll('2025-11-25')).toEqual({ failed: [], ran: 18 })
})

test("the gateway's client conforms to 2026-07-28", { timeout: 240_000 }, async () => {
  expect(await runAll('2026-07-28')).toEqual({ failed: [], ran: 32 })
})
