import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { type BackupScene, callOnce, createBackupScene, idsOf } from './setup/backup-scene.ts'

let scene: BackupScene
beforeAll(async () => (scene = await createBackupScene()))
afterAll(() => scene.remove())

test('records damaged while a server runs are reported, and the others can be read', async () => {
  const { start, damage } = scene
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

test('a folder used with PostgreSQL starts with the address that the error asks for', async () => {
  const { start } = scene
  const { url, drop } = await createTempDatabase()
  const first = await start('elsewhere', '--database', url)
  const { callId } = await callOnce(first)
  await first.stop()
  await expect(start('elsewhere')).rejects.toThrow(/give its address: --database URL/)
  const again = await start('elsewhere', '--database', url)
  expect((await idsOf(again)).has(callId)).toBe(true)
  await again.stop()
  await drop()
})
