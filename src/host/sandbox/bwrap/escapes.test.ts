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

  /** Commands that succeed only if they get out; perl is on every system that has apt. */
  const escapes: Readonly<Record<string, string>> = {
    'read the passwords of this machine': 'cat /etc/shadow',
    'find the users of this machine': 'grep -v -e ^root -e ^box -e ^nobody /etc/passwd',
    'read another workspace': `ls ${tmpdir()}/toolcrib-scene-*`,
    'write into /usr': 'touch /usr/x || touch /etc/cron.d/x || touch /x',
    'write into /proc': 'echo x > /proc/sys/kernel/core_pattern || echo c > /proc/sysrq-trigger',
    'remount the root': 'mount -o remount,rw /',
    'mount a proc': 'mount -t proc proc /tmp',
    'create a user namespace': 'unshare -U true || unshare -r true',
    'enter a namespace': 'nsenter -t 1 -a true',
    'create a device': 'mknod /tmp/x b 8 0 && cat /tmp/x',
    'open a block device': 'cat /dev/sda || cat /dev/vda || cat /dev/mem',
    'trace a process': `perl -e 'exit(syscall(101, 16, 1, 0, 0) < 0)'`,
    'use io_uring': `perl -e 'exit(syscall(425, 4, 0) < 0)'`,
    'load a BPF program': `perl -e 'exit(syscall(321, 0, 0, 0) < 0)'`,
    'use the keyring': `perl -e 'exit(syscall(250, 0, -3, 1) < 0)'`,
    'open a netlink socket': `perl -e 'exit(syscall(41, 16, 3, 0) < 0)'`,
    'open a packet socket': `perl -e 'exit(syscall(41, 17, 3, 0) < 0)'`,
    'open a vsock': `perl -e 'exit(syscall(41, 40, 1, 0) < 0)'`,
    'open an AF_ALG socket': `perl -e 'exit(syscall(41, 38, 5, 0) < 0)'`,
    'open an internet socket': `perl -e 'exit(syscall(41, 2, 1, 0) < 0)'`,
    'open a unix socket': `perl -e 'exit(syscall(41, 1, 1, 0) < 0)'`,
    'open by handle': `perl -e 'exit(syscall(304, 0, 0, 0) >= 0 ? 0 : $! != 1 ? 0 : 1)'`,
    'clone a namespace': `perl -e 'my $p = syscall(56, 0x10000011, 0, 0, 0, 0); exit($p < 0)'`,
    'call the kernel as another machine': `perl -e 'exit(syscall(0x40000000 + 39) < 0)'`,
    'become root': `perl -e '$< = $> = 0; exit($> != 0)'`,
    'gain a capability':
      'test "$(grep CapEff /proc/self/status)" != "$(printf "CapEff:\\t%016d" 0)"',
    'change the host name': 'hostname evil',
    'renice above others': 'renice -n -20 $$',
    'read the kernel log': 'dmesg',
    'write to the control group': 'echo 1 > /sys/fs/cgroup/cgroup.procs',
    'write beyond the size of /dev/shm': 'head -c 20000000 /dev/zero > /dev/shm/x',
    'write beyond the size of /tmp': 'head -c 80000000 /dev/zero > /tmp/x',
    'fill /dev or the root': 'head -c 1000 /dev/zero > /dev/fill || head -c 1000 /dev/zero > /fill',
    'write a file of 300 MB': 'head -c 300000000 /dev/zero > big',
    'open 1500 files': 'perl -e \'for (1..1500) { open($f[$_], "<", "/dev/null") or exit 1 }\'',
    'take 6 GB of memory': `perl -e '$x = "x" x 6e9; exit 0'`,
    'raise a limit': 'ulimit -n 100000 || ulimit -u 100000 || ulimit -c 1000',
  }

  test.each(Object.entries(escapes))('a command can not %s', async (_name, command) => {
    const { exitCode, signal, stderr } = await scene.run(command)
    expect({
      command,
      isOut: exitCode === 0,
      wasStarted: !/not found/.test(stderr) || signal,
    }).toEqual({
      command,
      isOut: false,
      wasStarted: expect.anything() as unknown,
    })
    await rm(path.join(scene.folder, 'big'), { force: true })
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
