import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import {
  type BackupScene,
  callOnce,
  createBackupScene,
  idsOf,
  keepFile,
} from './setup/backup-scene.ts'
import type { ServerProcess } from './setup/server-process.ts'

let scene: BackupScene
let server: ServerProcess
beforeAll(async () => {
  scene = await createBackupScene()
  server = await scene.start('data')
})
afterAll(async () => {
  await server.kill().catch(() => undefined)
  await scene.remove()
})

/** Four callers, who call until they are told to stop. */
function callOn(target: ServerProcess) {
  const acknowledged: string[] = []
  const state = { isOver: false }
  const work = async () => {
    for (let n = 0; !state.isOver; n += 1) {
      const json = { input: { n } }
      const response = await target.request('/api/v1/tools/probe.write/calls', { json })
      const { callId } = (await response.json()) as { callId: string }
      if (response.status === 200) acknowledged.push(callId)
      // As callers do, who have other work as well; the machine has.
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const all = Promise.all([work(), work(), work(), work()])
  const stop = async () => {
    state.isOver = true
    await all
  }
  return { acknowledged, stop }
}

test('a backup under load is complete, and a server restored from it has all acknowledged calls', async () => {
  const { folder, place, start, toolcrib } = scene
  const { acknowledged, stop } = callOn(server)
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(50)
  const before = [...acknowledged]
  await keepFile(server, 'plan')
  const options = ['--data', place('data'), '--to', folder, '--with-key', '--workspaces']
  const taken = await toolcrib('backup', ...options)
  const workspaces = { count: 1, bytes: 4, noted: 0 }
  expect(taken).toMatchObject({ code: 0, out: { hasMasterKey: true, workspaces } })
  const file = String(taken.out?.['file'])
  await stop()
  expect(path.basename(file)).toMatch(/^toolcrib-backup-\d{4}-\d\d-\d\d-\d{6}\.tar\.gz$/)
  // Nothing of it is left where the server keeps its data, once it has been sent.
  const drafts = async () =>
    (await readdir(place('data'))).filter((name) => name.startsWith('backup'))
  await expect.poll(drafts).toEqual([])

  // A restore that was killed before it moved the database.
  await mkdir(place('restored/restore.draft/db'), { recursive: true })
  await writeFile(place('restored/restore.draft/moving.json'), '["workspaces"]')
  await mkdir(place('restored/workspaces/left'), { recursive: true })
  const restored = await toolcrib('restore', file, '--data', place('restored'))
  expect(restored).toMatchObject({ code: 0, out: { isKeyChecked: true, workspaces } })
  const again = await start('restored')
  try {
    const ids = await idsOf(again)
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    expect(await keepFile(again, '')).toEqual(['kept', 'kept/plan'])
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

test('a backup without its key says so, and opens with the key beside it', async () => {
  const { place, start, toolcrib } = scene
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

test('start and migrate refuse a master key without its database, and create nothing', async () => {
  const { place, start, toolcrib } = scene
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

test('with PostgreSQL, a backup has the files of workspaces alone, and restore adds them', async () => {
  const { place, start, toolcrib } = scene
  const { url, drop } = await createTempDatabase()
  const first = await start('elsewhere', '--database', url)
  await keepFile(first, 'plan')
  const data = ['--data', place('elsewhere')]
  expect(await toolcrib('backup', ...data)).toMatchObject({ error: { code: 'invalid_request' } })
  const file = place('files.tar.gz')
  expect(await toolcrib('backup', '--workspaces', '--to', file, ...data)).toMatchObject({
    code: 0,
    out: { file, hasDatabase: false, workspaces: { count: 1, noted: 0 } },
  })
  await first.stop()
  expect(await toolcrib('restore', file, ...data)).toMatchObject({ error: { code: 'conflict' } })
  await rm(path.join(place('elsewhere'), 'workspaces'), { recursive: true })
  expect(await toolcrib('restore', file, ...data)).toMatchObject({ code: 0, out: { tables: [] } })
  const again = await start('elsewhere', '--database', url)
  expect(await keepFile(again, '')).toEqual(['kept', 'kept/plan'])
  await again.stop()
  // The folder alone does not start: its records are in PostgreSQL.
  await expect(start('elsewhere')).rejects.toThrow(
    /data_damaged.*If the records are in PostgreSQL, give its address: --database URL/,
  )
  expect(await readdir(place('elsewhere'))).not.toContain('db')
  await drop()
})

test('a start on damaged records reports the damage as not retryable', async () => {
  const { start, damage } = scene
  const first = await start('hurt')
  await callOnce(first)
  await first.stop()
  await damage('hurt', 'calls')
  await expect(start('hurt')).rejects.toThrow(/"data_damaged".*"retryable":false.*restore/)
})

test('a first start that was killed between key and database is taken up again', async () => {
  const { place, start } = scene
  await mkdir(place('cut'))
  await writeFile(path.join(place('cut'), 'first-start'), '')
  await cp(path.join(place('data'), 'master.key'), path.join(place('cut'), 'master.key'))
  const again = await start('cut')
  expect(await readdir(place('cut'))).not.toContain('first-start')
  await again.stop()
})

test('a command that only reads makes no data folder', async () => {
  const { place, toolcrib } = scene
  // A project that was never started can be looked at all the same.
  expect(await toolcrib('backup')).toMatchObject({ code: 4, error: { code: 'not_found' } })
  expect(await toolcrib('doctor')).toMatchObject({ code: 0 })
  expect(await readdir(place('crib'))).toEqual(['tools'])
})
