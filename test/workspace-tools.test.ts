import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Crib } from '../src/app/crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { countProcesses, hasBwrap } from '../src/host/sandbox/testing/sandbox-scene.ts'
import { createTestCrib } from '../src/testing/create-test-crib.ts'

const isThere = await hasBwrap()
const owner = ownerOf()

let folder: string
let crib: Crib
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-workspace-tools-'))
  await chmod(folder, 0o711)
  crib = await createTestCrib({
    cwd: folder,
    data: path.join(folder, 'data'),
    config: { tools: [], packs: { shell: true, process: true }, workspaces: { mode: 'free' } },
  })
})
afterAll(async () => {
  await crib.close()
  await rm(folder, { recursive: true, force: true })
})

async function call(sessionId: string, tool: string, input: object) {
  const result = await crib.call(tool, input, { sessionId })
  expect(result).toMatchObject({ status: 'completed' })
  return result.output as Record<string, unknown>
}

const write = (sessionId: string, content: string) =>
  call(sessionId, 'file.write', { path: 'a.txt', content, overwrite: true })
const edit = (sessionId: string, search: string, replace: string) =>
  crib.call('file.edit', { path: 'a.txt', search, replace, replaceAll: false }, { sessionId })
const read = async (sessionId: string) => {
  const rest = { encoding: null, offset: null, limit: null, tail: null }
  return (await call(sessionId, 'file.read', { path: 'a.txt', ...rest }))['text']
}

test('edits of different parts at once are all in the file', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `<${index}>`)
  await write('parts', names.join('\n'))
  const results = await Promise.all(names.map((name) => edit('parts', name, `done${name}`)))
  expect(results.map(({ status }) => status)).toEqual(names.map(() => 'completed'))
  expect(await read('parts')).toBe(names.map((name) => `done${name}`).join('\n'))
})

test('of edits that replace the same text at once one is made, and the others do not find it', async () => {
  await write('same', 'start\n')
  const words = ['one', 'two', 'three', 'four']
  const results = await Promise.all(words.map((word) => edit('same', 'start', word)))
  const made = words.filter((_, index) => results[index]?.status === 'completed')
  expect(made).toHaveLength(1)
  expect(await read('same')).toBe(`${made[0]}\n`)
  const refused = results.filter(({ status }) => status !== 'completed')
  expect(refused.map(({ error }) => error?.code)).toEqual(words.slice(1).map(() => 'invalid_input'))
})

describe.skipIf(!isThere)('commands (skipped without bubblewrap)', () => {
  const exec = (command: string, timeout: number | null = null) =>
    call('commands', 'shell.exec', { command, cwd: null, timeout })

  test('an exit code is a result', async () => {
    expect(await exec('echo out; echo err >&2; exit 7')).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 7,
      signal: null,
      timedOut: false,
    })
    expect(await exec('no-such-program')).toMatchObject({ exitCode: 127 })
  })

  test('a command beyond its time is killed with all that it started, and its output kept', async () => {
    const mark = `toolcrib-timeout-${process.pid}`
    const output = await exec(`echo begun; (exec -a ${mark} sleep 300) & sleep 300`, 1)
    expect(output).toMatchObject({ stdout: 'begun\n', timedOut: true })
    await expect.poll(() => countProcesses(mark)).toBe(0)
  })

  test('a cancelled call ends its command', async () => {
    const mark = `toolcrib-cancel-${process.pid}`
    const abort = new AbortController()
    const input = { command: `exec -a ${mark} sleep 300`, cwd: null, timeout: null }
    const options = { sessionId: 'commands', signal: abort.signal }
    const running = crib.call('shell.exec', input, options)
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(0)
    abort.abort()
    expect(await running).toMatchObject({ status: 'cancelled' })
    await expect.poll(() => countProcesses(mark)).toBe(0)
  })

  test('of a flood of output the ends are shown, and the rest is kept with the call', async () => {
    const input = { command: 'seq 1 300000; echo end >&2', cwd: null, timeout: null }
    const { callId, output } = await crib.call('shell.exec', input, { sessionId: 'commands' })
    const { stdout, truncated, artifact } = output as {
      stdout: string
      truncated: boolean
      artifact: { id: string; bytes: number }
    }
    expect(truncated).toBe(true)
    expect(stdout).toMatch(/^1\n2\n[^]*bytes are left out here[^]*\n300000\n$/)
    expect(stdout.length).toBeLessThan(50_000)
    const end = '300000\n\n--- stderr ---\nend\n'
    const offset = artifact.bytes - end.length
    const range = { id: callId ?? '', artifact: artifact.id, offset, limit: 100 }
    const { chunk } = await crib.api.readArtifact(owner, range)
    expect(new TextDecoder().decode(chunk)).toBe(end)
  })

  test('a background process is read in pages, written to, and ended', async () => {
    const session = 'background'
    const command = 'echo ready; while read line; do echo "got $line"; done'
    const started = await call(session, 'process.start', { command, cwd: null })
    expect(started).toMatchObject({ pid: 1, state: 'running' })
    const page = { pid: 1, stream: 'stdout', maxBytes: null }
    const output = (offset: number) => call(session, 'process.output', { ...page, offset })
    await expect.poll(() => output(0)).toMatchObject({ text: 'ready\n', next: 6, isEnd: false })
    await call(session, 'process.write', { pid: 1, text: 'one\n' })
    await expect.poll(() => output(6)).toMatchObject({ text: 'got one\n' })
    const killed = await call(session, 'process.kill', { pid: 1, signal: null })
    expect(killed).toMatchObject({ state: 'killed' })
    expect(await output(14)).toMatchObject({ text: '', isEnd: true })
    const others = await call('another', 'process.status', { pid: null })
    expect(others).toEqual({ processes: [] })
  })

  test('the output of a process that floods is bounded, and says how much is dropped', async () => {
    const command = 'seq 1 2000000; echo end'
    await call('flood', 'process.start', { command, cwd: null })
    const status = () => call('flood', 'process.status', { pid: 1 })
    await expect.poll(status).toMatchObject({ processes: [{ state: 'exited', exitCode: 0 }] })
    const page = { pid: 1, stream: 'stdout', maxBytes: 256 }
    const first = await call('flood', 'process.output', { ...page, offset: 0 })
    expect(first['dropped']).toBeGreaterThan(0)
    const { processes } = (await status()) as { processes: { stdoutBytes: number }[] }
    const total = processes[0]?.stdoutBytes ?? 0
    const last = await call('flood', 'process.output', { ...page, offset: total - 4 })
    expect(last).toMatchObject({ text: 'end\n', next: total, isEnd: true })
  })
})
