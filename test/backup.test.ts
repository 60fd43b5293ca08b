import { execFile } from 'node:child_process'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { openEngine } from '../src/store/open-store.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const root = path.join(import.meta.dirname, '..')
const execute = promisify(execFile)
const tool = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'probe.write',
  description: 'Writes nothing at all, so that a call with an effect is on record.',
  effect: 'write',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => ({ n }),
})`

let folder: string
let server: ServerProcess
const place = (name: string) => path.join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib backup '))
  await mkdir(place('crib/tools'), { recursive: true })
  await writeFile(place('crib/tools/probe.tool.ts'), tool)
  server = await start('data')
})
afterAll(async () => {
  await server.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

const start = (data: string, ...args: string[]) =>
  startServerProcess({ cwd: place('crib'), data: place(data), args })

async function toolcrib(...args: string[]) {
  const options = { cwd: place('crib'), env: { ...process.env, NO_COLOR: '1' } }
  try {
    const line = [...args, '--json']
    const { stdout, stderr } = await execute(path.join(root, 'bin/toolcrib'), line, options)
    return { code: 0, out: JSON.parse(stdout) as Record<string, unknown>, stderr }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    const last = stderr.trim().split('\n').at(-1) ?? ''
    return { code, ...(JSON.parse(last) as { error: { code: string; fix?: string } }) }
  }
}

/** Calls as fast as they are answered, until it is told to stop. */
function callOn(target: ServerProcess) {
  const acknowledged: string[] = []
  const state = { isOver: false }
  const work = async () => {
    for (let n = 0; !state.isOver; n += 1) {
      const json = { input: { n } }
      const response = await target.request('/api/v1/tools/probe.write/calls', { json })
      const { callId } = (await response.json()) as { callId: string }
      if (response.status === 200) acknowledged.push(callId)
    }
  }
  const all = Promise.all([work(), work(), work(), work()])
  const stop = async () => {
    state.isOver = true
    await all
  }
  return { acknowledged, stop }
}

async function callOnce(target: ServerProcess): Promise<{ callId: string }> {
  const json = { input: { n: 1 } }
  const response = await target.request('/api/v1/tools/probe.write/calls', { json })
  return (await response.json()) as { callId: string }
}

/** Overwrites the file of a table, of a server that is stopped. */
async function damage(data: string, table: string): Promise<void> {
  const engine = await openEngine({ kind: 'pglite', dataDir: place(data) }, () => {})
  const query = `select pg_relation_filepath('${table}') as file`
  const { rows } = await engine.sql.executeSql(query, [])
  await engine.close()
  const file = path.join(place(data), 'db', String(rows[0]?.['file']))
  await writeFile(file, Buffer.alloc(Math.max(8192, (await stat(file)).size), 7))
}

async function idsOf(target: ServerProcess): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let after = ''; ;) {
    const response = await target.request(`/api/v1/calls?brief=true&limit=500${after}`)
    const page = (await response.json()) as { items: { callId: string }[]; next?: string }
    for (const { callId } of page.items) ids.add(callId)
    if (page.next === undefined) return ids
    after = `&after=${page.next}`
  }
}

test('a backup under load is whole, and what is restored from it starts with all that was acknowledged', async () => {
  const { acknowledged, stop } = callOn(server)
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(50)
  const before = [...acknowledged]
  const taken = await toolcrib('backup', '--data', place('data'), '--to', folder, '--with-key')
  expect(taken).toMatchObject({ code: 0, out: { hasMasterKey: true } })
  const file = String(taken.out?.['file'])
  await stop()
  expect(path.basename(file)).toMatch(/^toolcrib-backup-\d{4}-\d\d-\d\d-\d{6}\.tar\.gz$/)
  // Nothing of it is left where the server keeps its data, once it has been sent.
  const drafts = async () =>
    (await readdir(place('data'))).filter((name) => name.startsWith('backup'))
  await expect.poll(drafts).toEqual([])

  const restored = await toolcrib('restore', file, '--data', place('restored'))
  expect(restored).toMatchObject({ code: 0, out: { isKeyChecked: true } })
  const again = await start('restored')
  try {
    const ids = await idsOf(again)
    expect(before.filter((id) => !ids.has(id))).toEqual([])
  } finally {
    await again.stop()
  }
  expect(await toolcrib('restore', file, '--data', place('restored'))).toMatchObject({
    code: 1,
    error: { code: 'conflict' },
  })
  await cp(file, place('half.tar.gz'))
  await truncate(place('half.tar.gz'), 200_000)
  expect(await toolcrib('backup', 'verify', place('half.tar.gz'))).toMatchObject({
    code: 7,
    error: { code: 'data_damaged' },
  })
})

test('without a server and without the key: the backup says so, and opens with the key beside it', async () => {
  await server.stop()
  const file = place('cold.tar.gz')
  const taken = await toolcrib('backup', '--data', place('data'), '--to', file)
  expect(taken).toMatchObject({ code: 0, out: { file, hasMasterKey: false } })
  expect(await toolcrib('backup', 'verify', file, '--data', place('nowhere'))).toMatchObject({
    code: 0,
    out: { isKeyChecked: false },
  })
  await mkdir(place('with-key'))
  await cp(path.join(place('data'), 'master.key'), path.join(place('with-key'), 'master.key'))
  expect(await toolcrib('restore', file, '--data', place('with-key'))).toMatchObject({
    code: 0,
    out: { isKeyChecked: true },
  })
  server = await start('with-key')
  expect((await idsOf(server)).size).toBeGreaterThan(50)
})

test('only the owner of the installation takes a backup', async () => {
  const made = await server.request('/api/v1/keys', { json: { name: 'k', scopes: ['tools.call'] } })
  const { token } = (await made.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const refused = await server.request('/api/v1/backup', { method: 'POST', headers })
  expect(refused.status).toBe(403)
})

test('a master key without its database is refused by start and by migrate, and nothing is made', async () => {
  await mkdir(place('lost'))
  await writeFile(
    path.join(place('lost'), 'master.key'),
    await readFile(path.join(place('data'), 'master.key')),
  )
  await expect(start('lost')).rejects.toThrow(/data_damaged.*database/)
  const to = 'postgres://nobody@127.0.0.1:1/none'
  expect(await toolcrib('migrate', '--to', to, '--data', place('lost'))).toMatchObject({
    code: 7,
    error: { code: 'data_damaged', fix: expect.stringContaining('toolcrib restore') },
  })
  expect(await readdir(place('lost'))).toEqual(['master.key'])
})

test('a folder that was used with PostgreSQL does not start embedded, and is told how to', async () => {
  const { url, drop } = await createTempDatabase()
  const first = await start('elsewhere', '--database', url)
  const { callId } = await callOnce(first)
  await first.stop()
  await expect(start('elsewhere')).rejects.toThrow(
    /data_damaged.*If the records are in PostgreSQL, give its address: --database URL/,
  )
  expect(await readdir(place('elsewhere'))).not.toContain('db')
  const again = await start('elsewhere', '--database', url)
  expect((await idsOf(again)).has(callId)).toBe(true)
  await again.stop()
  await drop()
})

test('damaged records are told as such, at the start or later, and not as worth another try', async () => {
  const first = await start('hurt')
  await callOnce(first)
  await first.stop()
  await damage('hurt', 'calls')
  await expect(start('hurt')).rejects.toThrow(/"data_damaged".*"retryable":false.*restore/)

  const second = await start('scratched')
  const body = JSON.stringify({ value: 'a long enough value' })
  const put = await second.request('/api/v1/secrets/some_key', { method: 'PUT', body })
  expect(put.status).toBe(200)
  await second.stop()
  await damage('scratched', 'secrets')
  const scratched = await start('scratched')
  const told = { code: 'data_damaged', retryable: false }
  for (let round = 0; round < 3; round += 1) {
    const answer = await scratched.request('/api/v1/secrets')
    expect([answer.status, await answer.json()]).toMatchObject([503, told])
    // What is whole is there all the same, once the database has been opened anew.
    const isThere = async () => (await scratched.request('/api/v1/calls')).status
    await expect.poll(isThere).toBe(200)
  }
  await scratched.kill()
})

test('a first start that was killed between key and database is taken up again', async () => {
  await mkdir(place('cut'))
  await writeFile(path.join(place('cut'), 'first-start'), '')
  await cp(path.join(place('data'), 'master.key'), path.join(place('cut'), 'master.key'))
  const again = await start('cut')
  expect(await readdir(place('cut'))).not.toContain('first-start')
  await again.stop()
})

test('a command that only reads makes no data folder', async () => {
  expect(await toolcrib('calls', '--data', place('typo'))).toMatchObject({
    code: 4,
    error: { code: 'not_found', fix: expect.stringContaining('--data') },
  })
  // A project that was never started can be looked at all the same.
  expect(await toolcrib('tools')).toMatchObject({
    code: 0,
    out: { items: expect.arrayContaining([expect.objectContaining({ name: 'probe.write' })]) },
  })
  expect(await toolcrib('backup')).toMatchObject({ code: 4, error: { code: 'not_found' } })
  expect(await toolcrib('doctor')).toMatchObject({ code: 0 })
  expect(await readdir(place('crib'))).toEqual(['tools'])
  expect(await readdir(folder)).not.toContain('typo')
})

test('options that a running server does not hear are named', async () => {
  const line = ['tools', '--data', place('with-key'), '--tools', place('crib/tools')]
  expect(await toolcrib(...line)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/running server .* --tools has no effect/),
  })
})
