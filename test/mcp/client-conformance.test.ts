import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

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

/** Several at once starve each other on a small machine, and some are about time. */
const atOnce = 2

async function runAll(revision: string): Promise<{ failed: string[]; ran: number }> {
  const left = [...(scored[revision] ?? [])]
  const failed: string[] = []
  let ran = 0
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const said = await run(next, revision)
      ran++
      if (said !== undefined) failed.push(`${next}: ${said}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { failed, ran }
}

/** Nothing, or what the suite says is wrong. */
function run(scenario: string, revision: string): Promise<string | undefined> {
  // The suite takes the command apart at its spaces, so that no path with one may be in it.
  const client = 'node test/mcp/conformance-client.ts'
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`
  const options = ['--command', client, '--scenario', scenario, '--spec-version', revision]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [suite, 'client', ...options],
      { cwd: root, env: { ...process.env, PATH } },
      (_error, stdout, stderr) => {
        const text = `${stdout}\n${stderr}`
        const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed/.exec(text) ?? []
        const isGood = passed !== undefined && passed === all && Number(all) > 0
        resolve(isGood ? undefined : text.slice(-2000))
      },
    )
  })
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
