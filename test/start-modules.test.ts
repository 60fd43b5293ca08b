import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

// Every module costs a start about 0.4 ms of CPU, and every server, command and test pays it. What
// few need is imported where it is used; a bound that is reached asks which import came too early.
// About a third are files of packages; the rest are ours, some twenty for each feature. Raise the
// bounds with a new feature, not for a new package.
const bounds = { help: 40, client: 64, local: 1900, server: 2000 }

/** Writes the address of every module that was loaded when the process ends. */
const counter = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, loaded.join('\\n')))
`)}`

const command = path.join(import.meta.dirname, '../bin/toolcrib')

describe('what is loaded', { timeout: 60_000 }, () => {
  let folder: string
  let server: ServerProcess
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-modules-'))
    server = await startServerProcess({ cwd: folder, data: folder, env: counting('server') })
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('--help needs the command line alone', async () => {
    const loaded = await run('help', ['--help'])
    expect(loaded.length).toBeLessThan(bounds.help)
    expect(packagesOf(loaded)).toEqual([])
  })

  test.each(['tools', 'schedules'])('%s asks a server and has no package in it', async (name) => {
    const loaded = await run('client', [name, '--json', '--data', folder, '--url', server.url])
    expect(loaded.length).toBeLessThan(bounds.client)
    expect(packagesOf(loaded)).toEqual([])
  })

  test('a server has nothing in it that it has no use for yet', async () => {
    expect((await server.request('/api/v1/tools')).status).toBe(200)
    await server.stop()
    const loaded = await read('server')
    expect(loaded.length).toBeLessThan(bounds.server)
    const late = ['ai', 'chokidar', 'fflate', 'jose', 'prom-client', 'undici', 'yaml']
    expect(packagesOf(loaded).filter((name) => late.includes(name))).toEqual([])
    expect(packagesOf(loaded)).toContain('kysely')
  })

  test('a command that looks without a server opens no queue', async () => {
    const loaded = await run('local', ['tools', '--json', '--data', folder])
    expect(loaded.length).toBeLessThan(bounds.local)
    expect(packagesOf(loaded)).toContain('@electric-sql/pglite')
    expect(packagesOf(loaded)).not.toContain('pg-boss')
  })

  const counting = (name: string) => ({
    NODE_OPTIONS: `--import ${counter}`,
    LOADED_MODULES: path.join(folder, `${name}.txt`),
  })

  async function run(name: string, args: readonly string[]): Promise<string[]> {
    const env = { ...process.env, ...counting(name) }
    const child = spawn(process.execPath, [command, ...args], { cwd: folder, env, stdio: 'ignore' })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    return read(name)
  }

  async function read(name: string): Promise<string[]> {
    return (await readFile(path.join(folder, `${name}.txt`), 'utf8')).split('\n')
  }
})

function packagesOf(loaded: readonly string[]): string[] {
  const names = loaded.flatMap((url) => {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
    return name === undefined ? [] : [name]
  })
  return [...new Set(names)]
}
