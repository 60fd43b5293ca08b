import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServerProcess } from './setup/server-process.ts'

const program = path.join(import.meta.dirname, '..', 'bin/toolcrib')
const execute = promisify(execFile)
const tool = `import { defineTool, z } from 'toolcrib'
console.log('LOADED')
export default defineTool({
  name: 'probe.print',
  description: 'Prints a line and says what it was given by the environment.',
  effect: 'read',
  env: ['PROBE_A', 'PROBE_B'],
  inputSchema: z.object({}),
  execute: (_input, { env }) => {
    console.log('PRINTED')
    return { a: env.PROBE_A, b: env.PROBE_B }
  },
})`

let folder: string
const place = (name: string) => path.join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib output '))
  await mkdir(place('crib/tools'), { recursive: true })
  await writeFile(place('crib/tools/probe.tool.ts'), tool)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const env = { PROBE_A: 'set', PROBE_B: 'set' }

test('what a tool prints goes to stderr when a command runs it itself', async () => {
  const args = ['call', '--data', place('alone'), 'probe.print', '--json']
  const options = { cwd: place('crib'), env: { ...process.env, ...env } }
  const { stdout, stderr } = await execute(program, args, options)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', output: { a: 'set' } })
  expect(stderr).toContain('LOADED')
  expect(stderr).toContain('PRINTED')
})

const leak = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'probe.leak',
  description: 'Prints its secret in two writes, and a line after it.',
  effect: 'read',
  secrets: ['probe_key'],
  inputSchema: z.object({}),
  execute: (_input, { secrets }) => {
    process.stderr.write('piece ' + secrets.probe_key.slice(0, 9))
    process.stderr.write(secrets.probe_key.slice(9) + ' end\\n')
    return null
  },
})`

test('a secret that a tool prints in several writes is not in the output of the server', async () => {
  await mkdir(place('leak/tools'), { recursive: true })
  await writeFile(place('leak/tools/leak.tool.ts'), leak)
  const server = await startServerProcess({ cwd: place('leak'), data: place('leaked'), args: [] })
  try {
    const body = JSON.stringify({ value: 'sk_live_0123456789' })
    const stored = await server.request('/api/v1/secrets/probe_key', { method: 'PUT', body })
    expect(stored.ok).toBe(true)
    const called = await server.request('/api/v1/tools/probe.leak/calls', { json: { input: {} } })
    expect(called.status).toBe(200)
    await expect.poll(() => server.errors()).toContain('piece [redacted:probe_key] end')
  } finally {
    await server.stop()
  }
})

test('the log is JSON with --json; an access entry names the request and its caller, and holds no query', async () => {
  const args = ['--access-log']
  const server = await startServerProcess({ cwd: place('crib'), data: place('logs'), args, env })
  try {
    const path1 = '/api/v1/tools/probe.print/calls'
    const called = await server.request(path1, { json: { input: {} } })
    await called.text()
    const listed = await server.request('/api/v1/calls?limit=1', {
      headers: { 'x-request-id': 'mine-1' },
    })
    await listed.text()
    expect(listed.headers.get('x-request-id')).toBe('mine-1')
    await (await fetch(`${server.url}/sign-in?token=very-secret`)).text()
    const refused = await fetch(`${server.url}/api/v1/calls`)
    const problem = (await refused.json()) as { requestId: string }
    expect(problem.requestId).toBe(refused.headers.get('x-request-id'))
    const read = () =>
      server
        .errors()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    await expect.poll(() => read().filter(({ message }) => message === 'request').length).toBe(4)
    const [first, second, third, fourth] = read().filter(({ message }) => message === 'request')
    const known = { level: 'info', tenant: 'default', user: 'owner', ms: expect.any(Number) }
    expect(first).toMatchObject({
      ...known,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      method: 'POST',
      path: path1,
      status: 200,
      requestId: called.headers.get('x-request-id'),
    })
    expect(second).toMatchObject({ ...known, path: '/api/v1/calls', requestId: 'mine-1' })
    expect(third).toMatchObject({ path: '/sign-in' })
    expect(fourth).toMatchObject({ status: 401, requestId: problem.requestId })
    expect(server.errors()).not.toContain('very-secret')
    expect(read()).toContainEqual(expect.objectContaining({ message: 'Listening', level: 'info' }))
  } finally {
    await server.stop()
  }
})

test('dev reads .env without overriding the environment, and says when the configuration has changed', async () => {
  await writeFile(place('crib/.env'), 'PROBE_A=from-file\nPROBE_B="from file"\n')
  const args = ['dev', '--json', '--port', '0', '--data', place('dev')]
  const child = spawn(program, args, {
    cwd: place('crib'),
    env: { ...process.env, PROBE_A: 'kept' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  try {
    await expect.poll(() => out, { timeout: 60_000 }).toContain('"ready":true')
    expect(out).toContain('"variables":1')
    const called = await execute(program, ['call', 'probe.print', '--json', '--data', place('dev')])
    expect(JSON.parse(called.stdout)).toMatchObject({ output: { a: 'kept', b: 'from file' } })
    const doctor = await execute(program, ['doctor', '--data', place('dev')], { cwd: folder })
    expect(doctor.stdout).toMatch(/1 tool in 1 file/)
    await writeFile(place('crib/toolcrib.config.json'), '{}')
    await expect.poll(() => out, { timeout: 60_000 }).toContain('"setupChanged"')
  } finally {
    child.kill('SIGTERM')
    await exited
  }
})
