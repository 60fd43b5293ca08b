import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord, CallResult } from '../src/core/kernel/call.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const root = path.join(import.meta.dirname, '..')
const example = path.join(root, 'examples/crib')
const execute = promisify(execFile)

let folder: string
let data: string
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib server '))
  data = path.join(folder, 'data')
  await cp(example, path.join(folder, 'crib'), { recursive: true })
  server = await start()
})
afterAll(async () => {
  await server.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

function start(): Promise<ServerProcess> {
  return startServerProcess({
    cwd: path.join(folder, 'crib'),
    data,
    env: { CRIB_NOTES_FILE: path.join(folder, 'notes.json') },
  })
}

interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/** The command line as a person runs it, in the crib's folder, against the running server. */
async function toolcrib(...args: string[]): Promise<CommandResult> {
  const options = {
    cwd: path.join(folder, 'crib'),
    env: { ...process.env, TOOLCRIB_DATA: data, NO_COLOR: '1' },
  }
  try {
    return { code: 0, ...(await execute(path.join(root, 'bin/toolcrib'), args, options)) }
  } catch (error) {
    const { code, stdout, stderr } = error as CommandResult
    return { code, stdout, stderr }
  }
}

const roi = { initialCost: 50_000, yearlyBenefit: 30_000, yearlyRunningCost: 5_000, years: 5 }

describe('one tool, four ways', () => {
  test('over HTTP, on the command line and nested, with the same result and all on record', async () => {
    const detail = (await (await server.request('/api/v1/tools/analysis.roi')).json()) as {
      examples: { input: Record<string, unknown> }[]
    }
    const input = detail.examples[0]?.input ?? roi
    const overHttp = await call('analysis.roi', input)
    const inTerminal = await toolcrib(
      'call',
      'analysis.roi',
      '--input',
      JSON.stringify(input),
      '--json',
    )
    const fromCli = JSON.parse(inTerminal.stdout) as CallResult
    expect([overHttp.status, fromCli.status, inTerminal.code]).toEqual([
      'completed',
      'completed',
      0,
    ])
    expect(fromCli.output).toEqual(overHttp.output)
    const business = (await (
      await server.request('/api/v1/tools/demo.business-case')
    ).json()) as typeof detail
    const nested = await call('demo.business-case', business.examples[0]?.input ?? {})
    expect(nested.status).toBe('completed')
    const { stdout } = await toolcrib('events', '--json', '--limit', '1000')
    const tools = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { data: { tool?: string } }).data.tool)
    expect(tools.filter((tool) => tool === 'analysis.roi').length).toBeGreaterThanOrEqual(3)
  })
})

describe('bad requests', () => {
  test.each([
    ['an unknown tool', '/api/v1/tools/no.such/calls', '{"input":{}}', 404, 'tool_not_found'],
    ['broken JSON', '/api/v1/tools/demo.list-notes/calls', '{"input":', 400, 'invalid_request'],
    [
      'wrong types',
      '/api/v1/tools/demo.add-note/calls',
      '{"input":{"text":5}}',
      422,
      'invalid_input',
    ],
    [
      'ten megabytes',
      '/api/v1/tools/demo.add-note/calls',
      `{"input":{"text":"${'x'.repeat(10_485_760)}"}}`,
      413,
      'body_too_large',
    ],
    [
      'deep nesting',
      '/api/v1/tools/demo.add-note/calls',
      `{"input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      400,
      'invalid_request',
    ],
  ])(
    '%s ends in a coded answer with the server still healthy',
    async (...[, route, body, status, code]) => {
      const response = await server.request(route, { method: 'POST', body })
      const problem = (await response.json()) as { code: string; status: number }
      expect([
        response.status,
        problem.code,
        response.headers.get('content-type')?.split(';')[0],
      ]).toEqual([status, code, 'application/problem+json'])
      expect((await server.request('/readyz')).status).toBe(200)
    },
  )

  test('a call that needs a person is 202 with its id, and its record says why', async () => {
    const response = await server.request('/api/v1/tools/demo.delete-notes/calls', {
      json: { input: { ids: ['note_1'] }, agent: 'analyst' },
    })
    const result = (await response.json()) as CallRecord
    expect([response.status, result.waitingFor]).toEqual([202, 'approval'])
    const record = (await (
      await server.request(`/api/v1/calls/${result.callId}`)
    ).json()) as CallRecord
    expect([record.status, record.decision?.verdict]).toEqual(['waiting', 'ask'])
  })
})

describe('streams', () => {
  test('a caller that leaves in the middle of a stream cancels the call', async () => {
    const leave = new AbortController()
    const response = await server.request('/api/v1/tools/demo.stream-report/calls', {
      json: { input: { text: 'One sentence. '.repeat(50), pauseMs: 2000 } },
      headers: { accept: 'text/event-stream' },
      signal: leave.signal,
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    const callId = /call_[0-9a-f]{32}/.exec(first?.value ?? '')?.[0]
    leave.abort()
    const record = (await (
      await server.request(`/api/v1/calls/${callId}?wait=60`)
    ).json()) as CallRecord
    expect(record.status).toBe('cancelled')
  })

  test('a reader of events that comes back with its last id misses nothing and gets nothing twice', async () => {
    const before = await collectEvents({ count: 4 })
    await call('demo.list-notes', {})
    await call('demo.list-notes', {})
    const after = await collectEvents({ count: 6, lastId: before.at(-1) })
    const whole = await collectEvents({ count: 10 })
    expect([...before, ...after]).toEqual(whole)
  })
})

describe('a second start', () => {
  test('on the same folder is refused and says who has it', async () => {
    const { code, stdout, stderr } = await toolcrib(
      'start',
      '--json',
      '--port',
      '0',
      '--data',
      data,
    )
    expect([code, stdout]).toEqual([6, ''])
    // A second MCP client on stdio is told the same, and needs to know what clients share.
    const fix = expect.stringContaining('share the crib of a running server (toolcrib start)')
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'data_locked', fix } })
    expect((await server.request('/healthz')).status).toBe(200)
  })

  test('where the data folder can not be made is refused', async () => {
    const file = path.join(folder, 'a-file')
    await writeFile(file, '')
    const { code, stderr } = await toolcrib(
      'start',
      '--json',
      '--port',
      '0',
      '--data',
      path.join(file, 'data'),
    )
    expect([code, (JSON.parse(stderr) as { error: { code: string } }).error.code]).toEqual([
      7,
      'data_read_only',
    ])
  })
})

describe('the owner', () => {
  test('finds server.json for itself alone, and signs in once with the link', async () => {
    expect((await stat(path.join(data, 'server.json'))).mode & 0o777).toBe(0o600)
    expect((await fetch(server.signIn, { redirect: 'manual' })).status).toBe(200)
    const press = () =>
      fetch(`${server.url}/sign-in/link`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: server.url },
        body: new URL(server.signIn).searchParams,
      })
    const signIn = await press()
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const tool = await fetch(`${server.url}/api/v1/tools/analysis.roi`, { headers: { cookie } })
    expect([signIn.status, tool.status]).toEqual([303, 200])
    expect((await press()).status).toBe(401)
  })

  test('sets a secret on the command line, and the tool that waited for it is ready', async () => {
    const before = await toolcrib('tools', 'demo.signed-webhook', '--json')
    expect((JSON.parse(before.stdout) as { state: string }).state).toBe('misconfigured')
    const child = execFile(path.join(root, 'bin/toolcrib'), ['secrets', 'set', 'webhook_secret'], {
      cwd: path.join(folder, 'crib'),
      env: { ...process.env, TOOLCRIB_DATA: data },
    })
    child.stdin?.end('a-secret-of-some-length')
    await new Promise((resolve) => child.once('exit', resolve))
    const after = await toolcrib('tools', 'demo.signed-webhook', '--json')
    expect((JSON.parse(after.stdout) as { state: string }).state).toBe('ready')
    const everything = await readFile(path.join(data, 'server.json'), 'utf8')
    expect(everything).not.toContain('a-secret-of-some-length')
  })

  test('makes a key that may only call, and revokes it', async () => {
    const made = await toolcrib('keys', 'create', '--name', 'ci', '--scope', 'tools.call', '--json')
    const { token, key } = JSON.parse(made.stdout) as { token: string; key: { id: string } }
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.request('/api/v1/tools', { headers })).status).toBe(200)
    expect((await server.request('/api/v1/keys', { headers })).status).toBe(403)
    expect((await server.request('/api/v1/events', { headers })).status).toBe(403)
    expect((await toolcrib('keys', 'revoke', key.id)).code).toBe(0)
    expect((await server.request('/api/v1/tools', { headers })).status).toBe(401)
  })
})

test('init writes a crib that passes its own check', async () => {
  const target = path.join(folder, 'starter')
  await mkdir(target)
  expect((await toolcrib('init', target)).code).toBe(0)
  expect((await toolcrib('check', '--config', path.join(target, 'toolcrib.config.ts'))).code).toBe(
    0,
  )
})

test('a start with another master key than before is refused', async () => {
  expect(await server.stop()).toBe(0)
  await writeFile(path.join(data, 'master.key'), `${'A'.repeat(43)}\n`)
  const { code, stderr } = await toolcrib('start', '--json', '--port', '0', '--data', data)
  expect([code, (JSON.parse(stderr) as { error: { code: string } }).error.code]).toEqual([
    7,
    'wrong_master_key',
  ])
})

async function call(tool: string, input: unknown): Promise<CallResult> {
  const response = await server.request(`/api/v1/tools/${tool}/calls`, { json: { input } })
  return (await response.json()) as CallResult
}

/** The first ids of the tenant's event stream, from the start or after the last id. */
async function collectEvents({
  count,
  lastId,
}: {
  count: number
  lastId?: string
}): Promise<string[]> {
  const stop = new AbortController()
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (lastId !== undefined) headers['last-event-id'] = lastId
  const response = await server.request('/api/v1/events', { headers, signal: stop.signal })
  const ids: string[] = []
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const found = [...text.matchAll(/^id: ?(.+)$/gm)].map((match) => match[1] ?? '')
    ids.splice(0, ids.length, ...found)
    if (ids.length >= count) break
  }
  stop.abort()
  return ids.slice(0, count)
}
