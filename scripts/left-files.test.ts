import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTempFolder } from '../src/store/contract/temp-store.ts'
import { watchForFiles } from './left-files.mjs'

test('files that have come since are named, and what tools keep is not', async () => {
  const { path, remove } = await createTempFolder()
  const write = (name: string) => writeFile(join(path, name), '')
  for (const name of ['.toolcrib', 'src/deep', 'console/dist', 'node_modules']) {
    await mkdir(join(path, name), { recursive: true })
  }
  await write('src/deep/a.ts')
  const findLeft = watchForFiles(path)
  expect(findLeft()).toEqual([])
  for (const name of ['.toolcrib/master.key', 'src/deep/a.ts', 'src/deep/b.ts']) await write(name)
  for (const name of ['console/dist/index.html', 'node_modules/x.js']) await write(name)
  expect(findLeft().toSorted()).toEqual(['.toolcrib/master.key', 'src/deep/b.ts'])
  await remove()
})
