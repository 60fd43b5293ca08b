import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryFolder } from './memory-folder.mjs'
import { processMark } from './process-mark.mjs'

async function createPlace() {
  const place = await mkdtemp(path.join(tmpdir(), 'memory '))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const leave = async (name: string, owner: object) => {
    await mkdir(path.join(place, name))
    await writeFile(path.join(place, name, 'owner.json'), JSON.stringify(owner))
  }
  return { place, leave }
}

test('what a killed run has left is removed, and what another one uses is not', async () => {
  const { place, leave } = await createPlace()
  await leave('toolcrib-tests-gone', { pid: process.pid, startedAt: 'another time' })
  await leave('toolcrib-tests-used', processMark(process.pid))
  await leave('of-somebody-else', { pid: process.pid, startedAt: 'another time' })
  createMemoryFolder(place)?.remove()
  expect((await readdir(place)).toSorted()).toEqual(['of-somebody-else', 'toolcrib-tests-used'])
})

test('a folder is given where there is room, is left alone by others, and goes when it is given back', async () => {
  const { place } = await createPlace()
  const folder = createMemoryFolder(place)
  // A small machine has none to give, and its tests write where they always did.
  if (folder === undefined) return
  createMemoryFolder(place)?.remove()
  expect(existsSync(folder.path)).toBe(true)
  folder.remove()
  expect(await readdir(place)).toEqual([])
})

test('where there is no such place, there is no folder', () => {
  expect(createMemoryFolder('/nowhere/at/all')).toBeUndefined()
})
