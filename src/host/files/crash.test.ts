import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { aFolder, noLimit } from './a-workspace.fixture.ts'
import { openWorkspaceDisk } from './open-workspace-disk.ts'

const id = `ws_${'0'.repeat(32)}`
const module = pathToFileURL(path.join(import.meta.dirname, 'open-workspace-disk.ts')).href

/** Replaces one file by another content of the same size, for ever. */
const writer = `
const { openWorkspaceDisk } = await import(${JSON.stringify(module)})
const disk = await openWorkspaceDisk({ folder: process.argv[1], isRoot: false })
const allowance = {
  usage: () => ({ bytes: 0, files: 0, maxBytes: 1e12, maxFiles: 1e12 }),
  reserve() {}, release() {},
}
const files = disk.files({ id: '${id}', owner: undefined, allowance, assertWritable() {}, mode: () => 'free' })
process.stdout.write('ready')
for (let turn = 0; ; turn += 1) await files.write('file', String(turn % 10).repeat(2_000_000))
`

test('a file is old or new after kill -9 in the middle of writing, and leftovers are removed', async () => {
  const folder = path.join(await aFolder(), 'workspaces')
  const disk = await openWorkspaceDisk({ folder, isRoot: false })
  await disk.create(id, { tenant: 't', owner: undefined })
  const files = disk.files({
    id,
    owner: undefined,
    allowance: noLimit,
    assertWritable: () => undefined,
    mode: () => 'free',
  })
  await files.write('file', 'x'.repeat(2_000_000))
  for (let round = 0; round < 8; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    // Somewhere in a write; where exactly does not matter.
    await new Promise((resolve) => setTimeout(resolve, 7 * round))
    child.kill('SIGKILL')
    await once(child, 'close')
    const { bytes } = await files.read('file')
    expect(bytes.length).toBe(2_000_000)
    expect(new Set(bytes).size).toBe(1)
  }
  const drafts = path.join(folder, id, 'tmp')
  for (const name of readdirSync(drafts)) utimesSync(path.join(drafts, name), 0, 0)
  await disk.clean({ olderThanMs: 0 })
  expect(readdirSync(drafts)).toEqual([])
  expect((await files.list('', { limit: 10 })).entries.map((entry) => entry.path)).toEqual(['file'])
})
