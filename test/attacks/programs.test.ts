import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { escapes } from '../../src/host/sandbox/testing/escape-commands.ts'
import { countProcesses, hasBwrap } from '../../src/host/sandbox/testing/sandbox-scene.ts'
import { openProgramServer, type ProgramServer, serverUsers } from '../setup/program-server.ts'

const isThere = await hasBwrap()

/** What detaches itself from everything that could end it. */
const stubborn = (mark: string) =>
  `trap '' TERM HUP INT QUIT; (setsid nohup bash -c 'trap "" TERM HUP INT; exec -a ${mark} sleep 300' >/dev/null 2>&1 </dev/null &) ; (exec -a ${mark} sleep 300 &); exec -a ${mark} sleep 300`

let marks = 0
const newMark = () => `programs-${process.pid}-${(marks += 1)}`

describe.skipIf(!isThere).each(serverUsers())('a program of a server that is %s', (user) => {
  let programs: ProgramServer
  beforeAll(async () => {
    programs = await openProgramServer(user)
  })
  afterAll(() => programs?.close())

  const running = (tool: string, input: object) =>
    programs.server.request(`/api/v1/tools/${tool}/calls`, {
      json: { input, sessionId: 'survivors' },
      headers: { prefer: 'respond-async' },
    })
  const exec = (command: string, timeout = 60) => ({ command, cwd: null, timeout })
  /** The promise is a second. */
  const expectNone = async (mark: string) => {
    await expect.poll(() => countProcesses(mark), { timeout: 1000, interval: 20 }).toBe(0)
  }

  test('it gets out by none of the known ways', async () => {
    const waiting = Object.entries(escapes)
    const out: string[] = []
    const notTried: string[] = []
    const tryAll = async (sessionId: string) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, command] = next
        const { exitCode, stderr } = await programs.exec(`${command}\n`, { sessionId })
        if (exitCode === 0) out.push(name)
        if (/command not found|syntax error/.test(stderr)) notTried.push(`${name}: ${stderr}`)
        await programs.exec('rm -rf ./*', { sessionId })
      }
    }
    await Promise.all(['one', 'two', 'three'].map(tryAll))
    expect({ out, notTried }).toEqual({ out: [], notTried: [] })
  })

  test('it finds neither files, sockets nor processes of this machine', async () => {
    const outside = path.join(programs.folder, 'outside')
    await mkdir(outside, { mode: 0o755 })
    const secret = path.join(outside, 'secret')
    await writeFile(secret, 'of this machine', { mode: 0o644 })
    let visits = 0
    const listen = (place: string | number) =>
      new Promise<Server>((resolve) => {
        const server = createServer((socket) => {
          visits += 1
          socket.destroy()
        })
        server.listen(place, () => resolve(server))
      })
    const abstract = `toolcrib-canary-${process.pid}-${user.length}`
    const listening = await listen(0)
    const { port } = listening.address() as { port: number }
    const canaries = [
      listening,
      await listen(path.join(outside, 'socket')),
      await listen(`\0${abstract}`),
    ]
    const { port: own } = new URL(programs.server.url)
    const connect = (address: string) =>
      `perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or die "no socket"; connect(S, pack_sockaddr_un("${address}")) and print "out"'`
    const { stdout } = await programs.exec(
      [
        `cat '${secret}'; ls '${programs.folder}' '${outside}'`,
        `ln -s '${secret}' link; cat link; echo x > link; ln '${secret}' hard; cat hard`,
        `ln -s '${outside}' folder; ls folder/; cat folder/secret; echo x > folder/new`,
        connect(`${outside}/socket`),
        connect(String.raw`\0${abstract}`),
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo out; (exec 3<>/dev/tcp/127.0.0.1/${own}) && echo out`,
        `for pid in ${process.pid} ${programs.server.pid}; do [ $pid -gt 300 ] && kill -0 $pid && echo out; done`,
        `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a -i -e toolcrib -e crib_`,
        'kill -9 -1',
      ].join('\n'),
    )
    for (const canary of canaries) canary.close()
    expect([stdout, visits]).toEqual(['', 0])
    expect(await readFile(secret, 'utf8')).toBe('of this machine')
    expect(await readdir(outside)).not.toContain('new')
    expect((await programs.exec('echo well')).stdout).toBe('well\n')
  })

  test('other sessions of the same user are not there', async () => {
    await programs.exec('echo mine > of-one; sleep 0; (exec -a of-one sleep 1)', {
      sessionId: 'one of them',
    })
    const { stdout } = await programs.exec(
      'ls -A; ls /workspace/.. | tr "\\n" " "; find / -name "of-one*" 2>/dev/null',
      { sessionId: 'another of them' },
    )
    expect(stdout).not.toContain('of-one')
    expect(stdout).not.toContain('ws_')
  })

  test('what it leaves in its workspace does not lead the tools out', async () => {
    const outside = path.join(programs.folder, 'kept out')
    await mkdir(outside, { mode: 0o755 })
    await writeFile(path.join(outside, 'secret'), 'of this machine', { mode: 0o644 })
    const sessionId = 'links'
    await programs.exec(
      `ln -s '${outside}/secret' link; ln -s '${outside}' folder; ln -s /proc/self/root root; ln -s ../../.. up; mkfifo pipe; touch one; ln one two; truncate -s 5G sparse; ln -s loop loop; ln -s /dev/zero zero`,
      { sessionId },
    )
    const found: unknown[] = []
    const rest = { encoding: null, offset: null, limit: null, tail: null }
    const links = ['link', 'folder/secret', 'root/etc/passwd', 'up/etc/passwd', 'loop', 'zero']
    const others = ['pipe', 'two', '../kept out/secret', `${outside}/secret`, '/proc/1/environ']
    const paths = [...links, ...others]
    for (const file of paths) {
      for (const [tool, input] of [
        ['file.read', { path: file, ...rest }],
        ['file.write', { path: file, content: 'x', overwrite: true }],
        ['file.edit', { path: file, search: 'of', replace: 'x', replaceAll: true }],
      ] as const) {
        const { status, output, error } = await programs.call(tool, input, sessionId)
        const isRefused = status === 'failed' || status === 'denied'
        if (!isRefused || error?.code === 'internal') found.push({ tool, file, output, error })
      }
    }
    expect(found).toEqual([])
    for (const [tool, input] of [
      ['file.list', { path: null, recursive: true, limit: null }],
      ['file.glob', { path: null, pattern: '**/*', limit: null }],
      ['file.grep', { path: null, pattern: 'of this machine|root:', files: null, limit: null }],
    ] as const) {
      const shown = JSON.stringify((await programs.call(tool, { ...input }, sessionId)).output)
      expect(shown ?? '').not.toMatch(/secret|of this machine|root:/)
    }
    expect(await readFile(path.join(outside, 'secret'), 'utf8')).toBe('of this machine')
    expect(await readdir(outside)).toEqual(['secret'])
  })

  test(
    'nothing of it lives a second after it ended, was too slow, or was cancelled',
    { retry: 2 },
    async () => {
      const mark = newMark()
      await programs.exec(`(${stubborn(mark)}) & sleep 0.3; exit 3`)
      await expectNone(mark)
      const { timedOut } = await programs.exec(stubborn(mark), { timeout: 1 })
      expect(timedOut).toBe(true)
      await expectNone(mark)
      const started = await running('shell.exec', exec(stubborn(mark)))
      const { callId: id } = (await started.json()) as { callId: string }
      await expect.poll(() => countProcesses(mark)).toBeGreaterThan(2)
      await programs.server.request(`/api/v1/calls/${id}/cancel`, { method: 'POST' })
      await expectNone(mark)
    },
  )

  test('a fork bomb ends with its time, and the server answers meanwhile', async () => {
    const mark = `bomb${newMark().replaceAll('-', '')}`
    const bomb = programs.exec(`${mark}() { ${mark} | ${mark} & }; ${mark}; sleep 60`, {
      timeout: 2,
      sessionId: 'bomb',
    })
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(5)
    const most = await countProcesses(mark)
    expect((await programs.server.request('/healthz')).status).toBe(200)
    expect((await bomb).timedOut).toBe(true)
    expect(most).toBeLessThan(140)
    await expectNone(mark)
  })

  test('nothing lives a second after kill -9 of the server', async () => {
    const mark = newMark()
    const args = { command: stubborn(mark), args: null, cwd: null }
    await running('process.start', args)
    await running('shell.exec', exec(stubborn(mark)))
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(5)
    await programs.server.kill()
    await expectNone(mark)
  })
})
