import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild } from '../../contract/child.ts'
import { createTempFolder } from '../../contract/temp-store.ts'
import { lockFolder } from './folder-lock.ts'
import { readOwnIdentity } from './process-identity.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeEach(async () => {
  folder = await createTempFolder()
})
afterEach(() => folder.remove())

const locked = (pid: number) => expect.objectContaining({ code: 'data_locked', details: { pid } })

/** A claim as another process would have left it. */
async function leaveClaim(claim: object, ageMs = 0): Promise<void> {
  const path = join(folder.path, 'lock', 'left.claim')
  await mkdir(join(folder.path, 'lock'), { recursive: true })
  await writeFile(path, JSON.stringify(claim))
  const time = new Date(Date.now() - ageMs)
  await utimes(path, time, time)
}

test('a folder is locked once, also within one process, and free again after its release', async () => {
  const lock = await lockFolder(folder.path)
  await expect(lockFolder(folder.path)).rejects.toEqual(locked(process.pid))
  await lock.release()
  await (await lockFolder(folder.path)).release()
  expect(await readdir(join(folder.path, 'lock'))).toEqual([])
})

test('another process that holds the folder is named', async () => {
  const child = startChild('hold-lock.ts', [folder.path, '60000'])
  await child.printed(1)
  await expect(lockFolder(folder.path)).rejects.toEqual(locked(child.process.pid ?? 0))
  child.process.kill('SIGKILL')
  await child.ended
  await (await lockFolder(folder.path)).release()
})

test('of many processes that come at once at most one holds the folder at any time', async () => {
  // The first holds it until the last has come, however long a busy machine takes to start them.
  const children = Array.from({ length: 6 }, () =>
    startChild('hold-lock.ts', [folder.path, '600000']),
  )
  await Promise.all(children.map((child) => child.printed(1)))
  const first = children.map((child) => child.lines[0] ?? '')
  expect(first.filter((line) => line === 'locked')).toHaveLength(1)
  expect(first.filter((line) => line.startsWith('data_locked'))).toHaveLength(5)
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map((child) => child.ended))
})

test('a claim of a dead process, another boot or a reused pid is removed', async () => {
  const own = await readOwnIdentity()
  const gone = [
    { ...own, pid: 2 ** 22 + 1 },
    { ...own, bootId: 'another boot' },
    { ...own, startTime: '1' },
  ]
  for (const claim of gone) {
    await leaveClaim(claim)
    await (await lockFolder(folder.path)).release()
    expect(await readdir(join(folder.path, 'lock'))).toEqual([])
  }
})

test('a claim from another container counts as long as it shows signs of life', async () => {
  const own = await readOwnIdentity()
  const elsewhere = { ...own, pid: 7, pidNamespace: 'pid:[1]' }
  await leaveClaim(elsewhere)
  await expect(lockFolder(folder.path)).rejects.toEqual(locked(7))
  await leaveClaim(elsewhere, 60_000)
  await (await lockFolder(folder.path, 100)).release()
})

test('a claim that cannot be read is respected until it is old', async () => {
  await leaveClaim({})
  await writeFile(join(folder.path, 'lock', 'left.claim'), '{ half')
  await expect(lockFolder(folder.path)).rejects.toMatchObject({ code: 'data_locked' })
  const old = new Date(Date.now() - 60_000)
  await utimes(join(folder.path, 'lock', 'left.claim'), old, old)
  await (await lockFolder(folder.path, 100)).release()
})

test('a claim whose clock differs counts by being touched, not by the time it shows', async () => {
  const own = await readOwnIdentity()
  const elsewhere = { ...own, pid: 7, pidNamespace: 'pid:[1]' }
  const claim = join(folder.path, 'lock', 'left.claim')
  const hour = 3_600_000
  await leaveClaim(elsewhere, hour)
  const touching = setInterval(() => {
    const time = new Date(Date.now() - hour)
    void utimes(claim, time, time)
  }, 50)
  await expect(lockFolder(folder.path)).rejects.toEqual(locked(7))
  clearInterval(touching)
  // Left by a process whose clock was ahead: nobody waits until that time has come.
  await leaveClaim(elsewhere, -hour)
  await (await lockFolder(folder.path, 100)).release()
})
