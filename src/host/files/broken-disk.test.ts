import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, noLimit } from './a-workspace.fixture.ts'
import { openWorkspaceDisk } from './open-workspace-disk.ts'

const id = `ws_${'0'.repeat(32)}`

/** A small disk; undefined where this process may not mount one. */
async function aDisk(): Promise<string | undefined> {
  const place = path.join(await aFolder(), 'disk')
  mkdirSync(place)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'crib', place], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', place]))
  return place
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('a disk that is full or read-only fails with a code and loses nothing', async (context) => {
  const place = await aDisk()
  if (place === undefined) return context.skip()
  const disk = await openWorkspaceDisk({ folder: path.join(place, 'workspaces'), isRoot: false })
  await disk.create(id, { tenant: 't', owner: undefined })
  const files = disk.files({
    id,
    owner: undefined,
    allowance: noLimit,
    assertWritable: () => undefined,
    mode: () => 'free',
  })
  await files.write('kept', 'as it was')
  const full = { code: 'workspace_unavailable', message: expect.stringContaining('is full') }
  await expect(files.write('kept', 'x'.repeat(600_000))).rejects.toMatchObject(full)
  const { entries } = await files.list('', { limit: 10 })
  expect(entries.map((entry) => entry.path)).toEqual(['kept'])
  expect(textOf((await files.read('kept')).bytes)).toBe('as it was')
  await files.write('kept', 'there is room again')
  execFileSync('mount', ['-o', 'remount,ro', place])
  const closed = { code: 'workspace_unavailable', message: expect.stringContaining('read-only') }
  await expect(files.write('kept', 'x')).rejects.toMatchObject(closed)
  await expect(files.makeFolder('new')).rejects.toMatchObject(closed)
  await expect(files.delete('kept')).rejects.toMatchObject(closed)
  expect(textOf((await files.read('kept')).bytes)).toBe('there is room again')
  execFileSync('umount', ['-l', place])
  execFileSync('mount', ['-t', 'tmpfs', 'crib', place])
  await expect(files.read('kept')).rejects.toMatchObject({ code: 'workspace_unavailable' })
  await expect(files.write('kept', 'x')).rejects.toMatchObject({ code: 'workspace_unavailable' })
})
