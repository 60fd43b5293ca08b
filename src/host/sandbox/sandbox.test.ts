import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isToolError } from '../../core/kernel/errors.ts'
import { countProcesses, hasBwrap, openScene, type SandboxScene } from './testing/sandbox-scene.ts'

const isThere = await hasBwrap()

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

describe.skipIf(!isThere)('a sandbox', () => {
  let scene: SandboxScene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene?.close())

  test('a command reads its input, writes its output and files, and ends with its code', async () => {
    const result = await scene.run('cat; echo made > made.txt; echo wrong >&2; exit 7', {
      stdin: 'given\n',
    })
    expect(result).toEqual({
      exitCode: 7,
      signal: undefined,
      stdout: 'given\n',
      stderr: 'wrong\n',
      timedOut: false,
    })
    expect(await readFile(path.join(scene.folder, 'made.txt'), 'utf8')).toBe('made\n')
  })

  test('scripts open their streams by name', async () => {
    const result = await scene.run(
      'cat /dev/stdin > /dev/stdout; echo wrong > /dev/stderr; echo both | tee /dev/stderr; exit 3',
      { stdin: 'given\n' },
    )
    expect(result).toMatchObject({
      exitCode: 3,
      stdout: 'given\nboth\n',
      stderr: 'wrong\nboth\n',
    })
  })

  test('all output written before the end arrives, from any process', async () => {
    const { stdout, exitCode } = await scene.run(
      'head -c 3000000 /dev/zero; (head -c 60000 /dev/zero &) ; sleep 0.2; exit 5',
      { maxOutputBytes: 4_000_000 },
    )
    expect([stdout.length, exitCode]).toEqual([3_060_000, 5])
  })

  test('a program gets its arguments as they are, without a shell', async () => {
    const odd = [`it's`, '$HOME', '`id`', 'a\nb', '*', '"', '\\', 'ü🙂', '']
    const { stdout } = await scene.run(['printf', '%s|', ...odd])
    expect(stdout).toBe(`${odd.join('|')}|`)
    const missing = await scene.run(['no-such-program'])
    expect(missing.exitCode).toBe(127)
  })

  test('a read-only workspace stays as it is', async () => {
    const place = { ...scene.place, isReadOnly: true }
    const processes = scene.processesWith({ folder: async () => place })
    const { exitCode } = await processes.run({ command: 'touch /tmp/x && touch new || exit 9' })
    expect(exitCode).toBe(9)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'a workspace behind a closed folder is reported with a fix',
    async () => {
      const closed = await mkdtemp(path.join(tmpdir(), 'toolcrib-closed-'))
      const folder = path.join(closed, 'workspace')
      await mkdir(folder, { mode: 0o777 })
      const place = { ...scene.place, id: 'closed', folder }
      const { run } = scene.processesWith({ folder: async () => place })
      await expect(run({ command: 'true' })).rejects.toMatchObject({
        code: 'workspace_unavailable',
        fix: expect.stringContaining(`chmod o+x ${closed}`) as string,
      })
      await chmod(closed, 0o711)
      expect((await run({ command: 'true' })).exitCode).toBe(0)
      await rm(closed, { recursive: true })
    },
  )

  test('a command runs in a folder of the workspace', async () => {
    const { stdout } = await scene.run('mkdir -p "a b/c"; cd "a b/c" && pwd')
    expect(stdout).toBe('/workspace/a b/c\n')
    expect((await scene.run('pwd', { cwd: 'a b/c' })).stdout).toBe('/workspace/a b/c\n')
    expect((await scene.run('pwd', { cwd: '/workspace/a b' })).stdout).toBe('/workspace/a b\n')
    expect(await codeOf(scene.run('pwd', { cwd: 'missing' }))).toBe('not_found')
    expect(await codeOf(scene.run('pwd', { cwd: '../..' }))).toBe('invalid_input')
    expect(await codeOf(scene.run('pwd', { cwd: '/etc' }))).toBe('invalid_input')
  })

  test('mistakes are refused before anything runs', async () => {
    expect(await codeOf(scene.run(' '))).toBe('invalid_input')
    expect(await codeOf(scene.run('a\0b'))).toBe('invalid_input')
    expect(await codeOf(scene.run('true', { env: { 'A=B': 'c' } }))).toBe('invalid_input')
    expect(await codeOf(scene.run('true', { env: { UID: '0' } }))).toBe('invalid_input')
    expect(await codeOf(scene.run(`true ${'x'.repeat(200_000)}`))).toBe('invalid_input')
    // Long, but allowed.
    expect((await scene.run(`printf ${'x'.repeat(90_000)}`)).stdout).toHaveLength(90_000)
  })

  test('output is kept as bytes, cut at its limit, and what was dropped is counted', async () => {
    const pieces: number[] = []
    const { stdout, dropped } = await scene.processes.run({
      command: String.raw`printf '\xff\xfe\x00ab'; head -c 1000 /dev/zero`,
      maxOutputBytes: 5,
      onOutput: ({ stream, bytes }) => stream === 'stdout' && pieces.push(bytes.length),
    })
    expect([...stdout]).toEqual([255, 254, 0, 97, 98])
    expect(dropped).toEqual({ stdout: 1000, stderr: 0 })
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(1005)
  })

  test('a command that never stops writing is ended by its time, and costs little', async () => {
    const before = process.cpuUsage()
    const { timedOut, dropped } = await scene.processes.run({
      command: 'yes',
      timeoutMs: 1500,
      maxOutputBytes: 1000,
    })
    expect(timedOut).toBe(true)
    expect(dropped.stdout).toBeGreaterThan(1_000_000)
    expect(dropped.stdout).toBeLessThan(400_000_000)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1500)
  })

  test('a command is first asked to end, and then made to', async () => {
    const polite = await scene.run(`trap 'echo bye; exit 3' TERM; sleep 60 & wait`, {
      timeoutMs: 300,
    })
    expect(polite).toMatchObject({ exitCode: 3, stdout: 'bye\n', timedOut: true })
    const mark = `deaf-${process.pid}`
    const deaf = await scene.run(`trap '' TERM; exec -a ${mark} sleep 60`, { timeoutMs: 300 })
    expect(deaf).toMatchObject({ signal: 'SIGKILL', timedOut: true })
    expect(await countProcesses(mark)).toBe(0)
  })

  test('a cancelled call leaves no process', async () => {
    const mark = `cancelled-${process.pid}`
    const controller = new AbortController()
    const running = scene
      .processesWith({ signal: controller.signal })
      .run({ command: `setsid bash -c 'exec -a ${mark} sleep 60' & exec -a ${mark} sleep 60` })
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(0)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(await countProcesses(mark)).toBe(0)
  })

  test('the workspace is measured after each command, also after a failed one', async () => {
    const measured: string[] = []
    const processes = scene.processesWith({
      measure: async (id) => {
        measured.push(id)
        throw new Error('full')
      },
    })
    await expect(processes.run({ command: 'false' })).rejects.toThrow('full')
    expect(measured).toHaveLength(1)
  })

  test('a background process can be watched, written to and killed', async () => {
    const { processes } = scene
    const started = await processes.start({
      command: 'echo ready; while read l; do echo "got $l"; done',
    })
    expect(started).toMatchObject({ pid: 1, state: 'running' })
    const read = () => processes.output(1, { stream: 'stdout', maxBytes: 1000 })
    await expect.poll(async () => (await read()).text).toBe('ready\n')
    await processes.write(1, 'one\n')
    await expect.poll(async () => (await read()).text).toBe('ready\ngot one\n')
    const rest = await processes.output(1, { stream: 'stdout', offset: 6, maxBytes: 3 })
    expect(rest).toEqual({ text: 'got', next: 9, dropped: 0, isEnd: false })
    expect(await processes.kill(1)).toMatchObject({ state: 'killed', signal: 'SIGTERM' })
    expect(await processes.list()).toMatchObject([{ pid: 1, state: 'killed', stdoutBytes: 14 }])
    expect(await codeOf(processes.write(1, 'x'))).toBe('conflict')
    expect(await codeOf(processes.status(2))).toBe('not_found')
  })

  test('only the end of a long output is kept, and no character is cut', async () => {
    const { processes } = scene
    const { pid } = await processes.start({
      command: `for i in {1..20000}; do printf 'ä🙂x\n'; done`,
    })
    await expect.poll(async () => (await processes.status(pid)).state).toBe('exited')
    let text = ''
    let offset = 0
    for (;;) {
      const piece = await processes.output(pid, { stream: 'stdout', offset, maxBytes: 1001 })
      if (offset === 0) expect(piece.dropped).toBe(20_000 * 8 - 65_536)
      text += piece.text
      offset = piece.next
      if (piece.isEnd) break
    }
    expect(offset).toBe(160_000)
    expect(text.slice(-50)).not.toContain('\ufffd')
    expect(
      text
        .split('\n')
        .slice(1, -1)
        .every((line) => line === 'ä🙂x'),
    ).toBe(true)
  })

  test('background processes go with their workspace, and with the sandbox', async () => {
    const other = await openScene()
    const mark = `background-${process.pid}`
    const notices: string[] = []
    other.sandbox.onNotice({
      started: (_, { pid }) => notices.push(`started ${pid}`),
      ended: (_, { pid, signal }) => notices.push(`ended ${pid} ${signal}`),
    })
    const command = `trap '' TERM HUP; exec -a ${mark} sleep 300`
    await other.processes.start({ command })
    await other.processes.start({ command })
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(1)
    const id = path.basename(other.folder)
    expect(await other.sandbox.processesIn(id).list()).toHaveLength(2)
    await other.sandbox.endAll(id)
    expect(await countProcesses(mark)).toBe(0)
    expect(notices.toSorted()).toEqual([
      'ended 1 SIGKILL',
      'ended 2 SIGKILL',
      'started 1',
      'started 2',
    ])
    await other.processes.start({ command })
    await other.close()
    expect(await countProcesses(mark)).toBe(0)
  })

  test('nothing is left a second after the server was killed', async () => {
    const mark = `orphan-${process.pid}`
    const scene = new URL('./testing/sandbox-scene.ts', import.meta.url).href
    const code = `import { openScene } from '${scene}'
const scene = await openScene()
const line = "trap '' TERM HUP; exec -a ${mark} sleep 300"
await scene.processes.start({ command: line })
void scene.run('setsid bash -c "exec -a ${mark} sleep 300" & ' + line)`
    const server = spawn(process.execPath, ['--input-type=module', '--eval', code])
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(2)
    server.kill('SIGKILL')
    await expect.poll(() => countProcesses(mark), { timeout: 1000 }).toBe(0)
  })

  const small = { bufferBytes: 1000, cpuSeconds: 10, keptBytes: 20_000 }

  test('one tenant has only half of the background processes, in whatever sessions', async () => {
    const other = await openScene({ background: { ...small, perWorkspace: 10, perNode: 2 } })
    await other.processes.start({ command: 'sleep 60' })
    const elsewhere = other.processesWith({ folder: async () => ({ ...other.place, id: 'ws_2' }) })
    expect(await codeOf(elsewhere.start({ command: 'sleep 60' }))).toBe('rate_limited')
    const stranger = other.processesWith({
      caller: {
        tenant: 'second',
        principal: { kind: 'user', id: 'other' },
        permissions: ['*'],
        runtime: 'api',
      },
      folder: async () => ({ ...other.place, id: 'ws_3', tenant: 'second' }),
    })
    expect(await stranger.start({ command: 'sleep 60' })).toMatchObject({ state: 'running' })
    await other.close()
  })

  test('ended processes of all sessions together keep a bounded amount of output', async () => {
    const other = await openScene({ background: { ...small, perWorkspace: 1, perNode: 4 } })
    const pids = []
    for (const id of ['ws_1', 'ws_2', 'ws_3', 'ws_4']) {
      const processes = other.processesWith({ folder: async () => ({ ...other.place, id }) })
      await processes.start({ command: 'true' })
      const stateOf = async () => (await processes.list())[0]?.state ?? 'forgotten'
      await expect.poll(stateOf).not.toBe('running')
      pids.push(stateOf)
    }
    const states = await Promise.all(pids.map((stateOf) => stateOf()))
    expect(states).toEqual(['forgotten', 'forgotten', 'exited', 'exited'])
    await other.close()
  })

  test('one session has only so many background processes', async () => {
    const other = await openScene({
      background: { ...small, perWorkspace: 1, perNode: 4 },
    })
    await other.processes.start({ command: 'sleep 60' })
    expect(await codeOf(other.processes.start({ command: 'sleep 60' }))).toBe('rate_limited')
    await other.close()
  })

  test('a sandbox that was verified is not checked again at the next start', async () => {
    const first = await scene.sandbox.state()
    const kept = await readFile(path.join(path.dirname(scene.folder), 'sandbox-check.json'), 'utf8')
    const other = await openScene()
    await writeFile(path.join(path.dirname(other.folder), 'sandbox-check.json'), kept)
    expect((await other.sandbox.state()).checkedAt).toBe(first.checkedAt)
    expect((await other.sandbox.check()).checkedAt).not.toBe(first.checkedAt)
    await writeFile(
      path.join(path.dirname(other.folder), 'sandbox-check.json'),
      kept.replace('"fingerprint":"', '"fingerprint":"other'),
    )
    await other.close()
  })
})

test('without bubblewrap no command runs, and the state has the reason', async () => {
  const other = await openScene({
    driver: async () => {
      const { createBwrapDriver } = await import('./bwrap/bwrap-driver.ts')
      return createBwrapDriver({ readOnlyFolders: [], searchPath: '/nowhere', waitingBoxes: 0 })
    },
  })
  const state = await other.sandbox.state()
  expect(state).toMatchObject({ state: 'unavailable', limits: 'none' })
  expect(state.fix).toBeTruthy()
  expect(await codeOf(other.run('true'))).toBe('sandbox_unavailable')
  expect(await codeOf(other.processes.start({ command: 'true' }))).toBe('sandbox_unavailable')
  await other.close()
})
