import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countProcesses, hasBwrap, openScene, type SandboxScene } from '../testing/sandbox-scene.ts'

const isThere = await hasBwrap()

describe.skipIf(!isThere)('bubblewrap (skipped where it is not installed)', () => {
  let scene: SandboxScene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene?.close())

  test('the sandbox holds, and lists its checks', async () => {
    const state = await scene.sandbox.state()
    expect(state).toMatchObject({ driver: 'bwrap', state: 'verified' })
    expect(state.checks.map(({ name }) => name)).toEqual([
      'files',
      'link',
      'write',
      'kernel',
      'devices',
      'processes',
      'environment',
      'descriptors',
      'network',
      'privileges',
      'namespaces',
      'memory files',
      'process limit',
      'file limit',
      'survivors',
    ])
  })

  test('links and hard links lead nowhere', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'toolcrib-outside-'))
    const secret = path.join(outside, 'secret')
    await writeFile(secret, 'of the server')
    try {
      await symlink(secret, path.join(scene.folder, 'to-file'))
      await symlink(outside, path.join(scene.folder, 'to-folder'))
      await symlink('/proc/1/root', path.join(scene.folder, 'to-root'))
      const { stdout } = await scene.run(
        `cat to-file to-folder/secret; ls to-root/root to-root${outside}; echo x > to-folder/new; ln ${secret} hard; true`,
      )
      expect(stdout).not.toContain('of the server')
      expect(stdout).not.toContain('secret')
      await expect(rm(path.join(outside, 'new'))).rejects.toThrow('ENOENT')
    } finally {
      await rm(outside, { recursive: true, force: true })
    }
  })

  test('a link to /oldroot creates nothing on this machine', async () => {
    // CVE-2026-87766: a mount beneath the workspace would follow it.
    const target = path.join(tmpdir(), `toolcrib-cve-${process.pid}`)
    await symlink(`/oldroot${target}`, path.join(scene.folder, '.git'))
    await symlink(`/oldroot${target}`, path.join(scene.folder, 'tmp'))
    await scene.run('true')
    await expect(rm(target, { recursive: true })).rejects.toThrow('ENOENT')
  })

  test('no variable of the server and no descriptor of it is inside', async () => {
    process.env['TOOLCRIB_TEST_SECRET'] = 'of-the-server'
    try {
      const { stdout } = await scene.run(
        'env; cat /proc/[0-9]*/environ; cat /proc/[0-9]*/cmdline; ls -l /proc/[0-9]*/fd; ls /proc | grep -c ^[0-9]',
        { env: { GIVEN: "it's\nmine" } },
      )
      expect(stdout).toContain("GIVEN=it's\nmine")
      expect(stdout).not.toContain('of-the-server')
      expect(stdout).not.toContain(scene.folder)
      expect(stdout).not.toMatch(/seccomp|args \d+ --bind|\.ts|database/)
    } finally {
      delete process.env['TOOLCRIB_TEST_SECRET']
    }
  })

  test('nothing listens on the loopback of this machine for a command', async () => {
    let visits = 0
    const server = createServer((socket) => {
      visits += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { stdout } = await scene.run(`(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo out`)
    server.close()
    expect([stdout, visits]).toEqual(['', 0])
  })

  test('processes that detach themselves end with their command', async () => {
    const mark = `survivor-${process.pid}`
    const { exitCode } = await scene.run(
      `(setsid bash -c 'trap "" TERM HUP INT; exec -a ${mark} sleep 300' >/dev/null 2>&1 </dev/null &) ; nohup bash -c 'exec -a ${mark} sleep 300' >/dev/null 2>&1 & exit 4`,
    )
    expect(exitCode).toBe(4)
    expect(await countProcesses(mark)).toBe(0)
  })

  test('a fork bomb stays small, and goes with its time', async () => {
    const mark = `bomb${process.pid}`
    const { timedOut } = await scene.run(`${mark}() { ${mark} | ${mark} & }; ${mark}; sleep 60`, {
      timeoutMs: 1500,
    })
    expect(timedOut).toBe(true)
    expect(await countProcesses(mark)).toBe(0)
  })

  test('folders of a session are its own', async () => {
    await mkdir(path.join(scene.folder, 'of-this'), { recursive: true })
    const other = await openScene()
    try {
      const { stdout } = await other.run('ls; ls /workspace/..')
      expect(stdout).not.toContain('of-this')
    } finally {
      await other.close()
    }
  })
})
