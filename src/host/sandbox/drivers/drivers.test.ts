import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Workspace } from '../../../core/kernel/context/workspace.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { Box, BoxCommand } from '../driver.ts'
import { testLimits } from '../testing/sandbox-scene.ts'
import { createDockerDriver, dockerArgs } from './docker-driver.ts'
import { createE2bDriver, type E2bPackage } from './e2b-driver.ts'
import { createNoneDriver } from './none-driver.ts'
import { createSeatbeltDriver, seatbeltSettings, toSeatbeltVerdict } from './seatbelt-driver.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-drivers-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const command: BoxCommand = {
  program: 'bash',
  args: ['-c', 'echo "$A"; cat; exit 3'],
  cwd: '',
  env: { PATH: process.env['PATH'] ?? '', A: 'given' },
}

async function finish(box: Box, given = command) {
  const running = await box.spawn(given)
  running.stdin.end('stdin')
  running.stderr.resume()
  let output = ''
  for await (const bytes of running.stdout) output += String(bytes)
  return { output, ...(await running.ended) }
}

const place = (name: string) => ({ id: name, folder: path.join(folder, name), owner: undefined })
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

/** A command line of Docker that records its arguments, and runs what a container would run. */
async function fakeDocker(): Promise<string> {
  const program = path.join(folder, 'docker')
  await writeFile(
    program,
    `#!/usr/bin/env bash
printf '%s\\n' "$*" >> '${folder}/docker.log'
case "$1" in
version) echo 27.0.0 ;;
ps) echo left1 ;;
run) while [ "$1" != debian:12-slim ]; do case "$1" in --init) ;; esac; shift; done; shift
  case "$3" in *CapEff*) echo done ;; *) exec "$@" ;; esac ;;
esac
`,
  )
  await chmod(program, 0o755)
  return program
}

test('docker takes everything from a container that it can do without', () => {
  const args = dockerArgs({
    name: 'toolcrib-x',
    label: 'toolcrib.node=n',
    image: 'debian:12-slim',
    box: {
      place: { id: 'w', folder: '/data/w', owner: { uid: 70_000, gid: 70_001 } },
      limits: testLimits,
    },
    command: { ...command, cwd: 'a b' },
  })
  expect(args).toEqual([
    'run',
    '--rm',
    '--interactive',
    '--name=toolcrib-x',
    '--label=toolcrib.node=n',
    '--network=none',
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--ipc=none',
    '--init',
    '--user=70000:70001',
    '--pids-limit=128',
    '--tmpfs=/tmp:rw,nosuid,nodev,size=64m',
    '--ulimit=nofile=512',
    '--ulimit=core=0',
    '--ulimit=fsize=134217728',
    '--ulimit=cpu=60',
    '--memory=512m',
    '--memory-swap=512m',
    '--mount=type=bind,source=/data/w,target=/workspace',
    '--workdir=/workspace/a b',
    '--env=PATH',
    '--env=A',
    'debian:12-slim',
    'bash',
    '-c',
    'echo "$A"; cat; exit 3',
  ])
})

test('docker runs a command, passes input and values, and removes what was left behind', async () => {
  const driver = createDockerDriver({
    image: undefined,
    node: 'n1',
    env: process.env,
    program: await fakeDocker(),
  })
  expect(await driver.verify()).toMatchObject({ isSafe: true, limits: 'enforced' })
  const owner = { uid: 65_101, gid: 65_101 }
  const box = await driver.open({ place: { ...place('w'), owner }, limits: testLimits })
  expect(await finish(box)).toEqual({ output: 'given\nstdin', exitCode: 3, signal: undefined })
  const log = await readFile(path.join(folder, 'docker.log'), 'utf8')
  expect(log).toContain('rm -f left1')
  expect(log).toMatch(/rm -f toolcrib-[0-9a-f]{16}/)
  // Values are not arguments, which others on this machine could read.
  expect(log).not.toContain('A=given')
  expect(
    await codeOf(driver.open({ place: place('w'), limits: testLimits, egressSocket: '/x' })),
  ).toBe('sandbox_unavailable')
})

test('a missing or silent docker is not used', async () => {
  const missing = createDockerDriver({
    image: undefined,
    node: 'n',
    env: process.env,
    program: path.join(folder, 'no-docker'),
  })
  expect(await missing.verify()).toMatchObject({ isSafe: false, reason: 'docker is not installed' })
  const dead = path.join(folder, 'dead')
  await writeFile(dead, '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2; exit 1\n')
  await chmod(dead, 0o755)
  const silent = createDockerDriver({ image: 'x', node: 'n', env: process.env, program: dead })
  expect(await silent.verify()).toMatchObject({
    isSafe: false,
    reason: 'The Docker daemon does not answer: Cannot connect to the Docker daemon',
  })
})

test('seatbelt allows writing in the workspace only, and needs macOS', async () => {
  expect(seatbeltSettings({ id: 'w', folder: '/data/w', owner: undefined })).toMatchObject({
    network: { allowedDomains: [] },
    filesystem: { allowWrite: ['/data/w'], allowRead: ['/data/w'] },
  })
  const driver = createSeatbeltDriver({ platform: 'linux' })
  expect(await driver.verify()).toMatchObject({
    isSafe: false,
    reason: 'Seatbelt is part of macOS',
  })
  expect(toSeatbeltVerdict('done\n')).toMatchObject({ isSafe: true, limits: 'best-effort' })
  expect(toSeatbeltVerdict('network\ndone\n')).toMatchObject({ isSafe: false })
  expect(toSeatbeltVerdict('')).toMatchObject({ isSafe: false })
  const withoutPackage = createSeatbeltDriver({ platform: 'darwin' })
  const opened = withoutPackage.open({ place: place('w'), limits: testLimits })
  await expect(opened).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    fix: 'Install it beside toolcrib: npm install @anthropic-ai/sandbox-runtime',
  })
})

test('seatbelt gives the runtime a policy and a command line', async () => {
  const program = path.join(folder, 'runtime.mjs')
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
const [, , , settings, , line] = process.argv
const { filesystem } = JSON.parse(readFileSync(settings, 'utf8'))
console.log(filesystem.allowWrite.join())
process.exit(spawnSync('bash', ['-c', line], { stdio: 'inherit' }).status)
`,
  )
  const driver = createSeatbeltDriver({ platform: 'darwin', program })
  await mkdir(place('mac').folder)
  const box = await driver.open({ place: place('mac'), limits: { ...testLimits, cpuSeconds: 0 } })
  const { output, exitCode } = await finish(box)
  expect([output, exitCode]).toEqual([`${place('mac').folder}\ngiven\nstdin`, 3])
})

test('without a sandbox nothing runs where there is more than one tenant', async () => {
  let isAlone = true
  const driver = createNoneDriver(async () => isAlone)
  await mkdir(place('plain').folder)
  const options = { place: place('plain'), limits: testLimits }
  expect(await driver.verify()).toMatchObject({ isSafe: true, limits: 'none' })
  process.env['TOOLCRIB_TEST_SECRET'] = 'of-the-server'
  const result = await finish(await driver.open(options), {
    ...command,
    args: ['-c', 'echo "$A $TOOLCRIB_TEST_SECRET"; pwd; exit 3'],
  })
  delete process.env['TOOLCRIB_TEST_SECRET']
  expect(result).toMatchObject({ output: `given \n${place('plain').folder}\n`, exitCode: 3 })
  isAlone = false
  expect(await driver.verify()).toMatchObject({ isSafe: false })
  expect(await codeOf(driver.open(options))).toBe('sandbox_unavailable')
  await driver.close()
})

test('a remote sandbox gets the files of the workspace, and gives back what has changed', async () => {
  const local = new Map([
    ['kept.txt', 'same'],
    ['changed.txt', 'before'],
    ['gone.txt', 'old'],
  ])
  const remote = new Map<string, string>()
  const calls: string[] = []
  const double: E2bPackage = {
    Sandbox: {
      async create(template, options) {
        calls.push(`create ${template} ${String(options['allowInternetAccess'])}`)
        return {
          commands: {
            async run(line, options) {
              calls.push(`run ${line} in ${String(options['cwd'])}`)
              remote.set('changed.txt', 'after')
              remote.set('new.txt', 'fresh')
              remote.delete('gone.txt')
              ;(options['onStdout'] as (text: string) => void)('said')
              return {
                pid: 7,
                wait: () => Promise.reject(Object.assign(new Error('exit'), { exitCode: 3 })),
                kill: async () => true,
              }
            },
            sendStdin: async (pid, data) => void calls.push(`stdin ${pid} ${String(data)}`),
            closeStdin: async () => void calls.push('stdin closed'),
          },
          files: {
            async write(files) {
              for (const { path, data } of files) {
                remote.set(path.replace('/home/user/workspace/', ''), Buffer.from(data).toString())
              }
            },
            read: async (path) =>
              Buffer.from(remote.get(path.replace('/home/user/workspace/', '')) ?? ''),
            list: async () =>
              [...remote].map(([name, text]) => ({
                path: `/home/user/workspace/${name}`,
                type: 'file',
                size: text.length,
              })),
            makeDir: async () => undefined,
          },
          kill: async () => void calls.push('killed'),
        }
      },
    },
  }
  const files: Pick<Workspace, 'list' | 'read' | 'write' | 'delete'> = {
    list: async () => ({
      entries: [...local].map(([name, text]) => ({
        path: name,
        kind: 'file',
        bytes: text.length,
        modifiedAt: '',
      })),
      isPartial: false,
    }),
    read: async (name) => ({
      entry: { path: name, kind: 'file', bytes: 0, modifiedAt: '' },
      bytes: Buffer.from(local.get(name) ?? ''),
      isPartial: false,
    }),
    async write(name, content) {
      calls.push(`write ${name}`)
      local.set(name, Buffer.from(content).toString())
      return { path: name, kind: 'file', bytes: 0, modifiedAt: '' }
    },
    delete: async (name) => void local.delete(name),
  }
  const driver = createE2bDriver({
    template: undefined,
    apiKey: 'key',
    load: async () => double,
  })
  const box = await driver.open({
    place: { ...place('remote'), files: files as Workspace },
    limits: testLimits,
  })
  expect(await finish(box)).toEqual({ output: 'said', exitCode: 3, signal: undefined })
  expect(Object.fromEntries(local)).toEqual({
    'kept.txt': 'same',
    'changed.txt': 'after',
    'new.txt': 'fresh',
  })
  expect(calls.filter((call) => call.startsWith('write'))).toEqual([
    'write changed.txt',
    'write new.txt',
  ])
  expect(calls).toContain('create base false')
  expect(calls).toContain('killed')
})

test('a remote sandbox needs its package and its key', async () => {
  const driver = createE2bDriver({ template: undefined, apiKey: 'key' })
  await expect(driver.verify()).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    fix: 'Install it beside toolcrib: npm install e2b',
  })
  const keyless = createE2bDriver({ template: undefined, apiKey: undefined })
  await expect(keyless.verify()).rejects.toMatchObject({
    fix: 'Set E2B_API_KEY in the environment of the server.',
  })
})
