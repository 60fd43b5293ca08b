import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServerProcess } from './setup/server-process.ts'

const program = path.join(import.meta.dirname, '..', 'bin/toolcrib')
const tool = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'probe.one', description: 'A tool of a small project.', effect: 'read',
  inputSchema: z.object({}), execute: () => 1,
})`

let folder: string
let crib: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib folders '))
  crib = path.join(folder, 'crib')
  await mkdir(path.join(crib, 'tools'), { recursive: true })
  await writeFile(path.join(crib, 'tools/probe.tool.ts'), tool)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  code: number | string | null | undefined
  stdout: string
  stderr: string
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: crib }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

test.each(['tools', 'calls', 'keys'])(
  '%s refuses a data folder that is not there, and makes none',
  async (command) => {
    const place = path.join(folder, 'mistyped')
    const { code, stdout, stderr } = await run('--data', place, command)
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain(`✗ There is no Toolcrib data in ${place}.\n→ Check the path (--data`)
    expect(await readdir(folder)).toEqual(['crib'])
  },
)

test('a command that writes creates a missing data folder, and reports it', async () => {
  const place = path.join(folder, 'data of its own')
  const create = () =>
    run('--data', place, 'keys', 'create', '--name', 'ci', '--scope', 'tools.call')
  const notice = `! ${place} had no Toolcrib data: this command created it.\n`
  const first = await create()
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(notice)])
  const second = await create()
  expect([second.code, second.stderr.includes(notice)]).toEqual([0, false])
})

test('the tools of a project that was never started are listed, and nothing is left behind', async () => {
  const { code, stdout } = await run('tools')
  expect([code, stdout]).toEqual([0, expect.stringContaining('probe.one')])
  expect(await readdir(crib)).toEqual(['tools'])
})

test('folders of tools that a running server does not read are told', async () => {
  const data = path.join(folder, 'data')
  const server = await startServerProcess({ cwd: crib, data })
  try {
    const { code, stdout, stderr } = await run('--data', data, '--tools', './other', 'tools')
    expect([code, stdout]).toEqual([0, expect.stringContaining('probe.one')])
    expect(stderr).toBe(`! The running server at ${server.url} answers: --tools has no effect.\n`)
  } finally {
    await server.stop()
  }
})

test('a server whose output nobody watches prints no way to sign in', async () => {
  const args = ['start', '--port', '0', '--data', path.join(folder, 'quiet')]
  const server = spawn(program, args, { cwd: crib, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise((resolve) => server.once('exit', resolve))
  let printed = ''
  const listen = (chunk: Buffer) => (printed += chunk.toString())
  server.stdout.on('data', listen)
  server.stderr.on('data', listen)
  try {
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('toolcrib sign-in-link')
    const link = await run('--data', path.join(folder, 'quiet'), 'sign-in-link')
    expect(link.stdout).toContain('token=')
  } finally {
    server.kill('SIGTERM')
    await exited
  }
  expect(printed).not.toContain('token=')
})
