import { execFileSync } from 'node:child_process'
import {
  link,
  mkdir,
  readFile,
  readlink,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { PackedEntry, PackedFile } from '../../../core/host/workspace-disk.ts'
import { aFolder, aWorkspace, noLimit } from '../a-workspace.fixture.ts'
import { openWorkspaceDisk } from '../open-workspace-disk.ts'

const bounds = { maxBytes: 2 ** 30, maxFiles: 1000 }

/** A disk of its own, and how to pack a workspace of another one into it. */
async function aPair() {
  const from = await aWorkspace()
  const source = await openWorkspaceDisk({ folder: path.dirname(path.dirname(from.root)) })
  const target = await openWorkspaceDisk({ folder: path.join(await aFolder(), 'workspaces') })
  const notes: Record<string, string> = {}
  const pack = (more: object = {}) =>
    source.pack(from.id, { ...bounds, onNote: (name, why) => (notes[name] = why), ...more })
  const copy = async (entries: AsyncIterable<PackedFile> = pack()) => {
    const unpacking = await target.unpack(from.id, { tenant: 't', owner: undefined })
    for await (const entry of entries) await unpacking.write(entry)
    await unpacking.end()
    return target.find(from.id)
  }
  const reopen = () =>
    target.files({
      id: from.id,
      owner: undefined,
      allowance: noLimit,
      assertWritable: () => undefined,
      mode: () => 'free',
    })
  return { ...from, source, target, notes, pack, copy, reopen }
}

async function* once(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? Buffer.from(content) : content
}

function anEntry(given: Partial<PackedEntry>, content = 'x'): PackedFile {
  const bytes = given.kind === 'file' || given.kind === undefined ? content.length : 0
  return {
    path: 'files/a',
    kind: 'file',
    mode: 0o644,
    modifiedMs: 0,
    bytes,
    ...given,
    content: once(bytes === 0 ? '' : content),
  }
}

test('a workspace comes back with contents, rights, times, links and its baseline', async () => {
  const { files, root, notes, copy, reopen } = await aPair()
  await files.receive('given.txt', once('from a person'))
  await files.receive('edited.txt', once('before\n'))
  await files.edit('edited.txt', () => 'after\n')
  await files.write('src/ünï code/run me.sh', 'echo hi')
  execFileSync('chmod', ['755', path.join(root, 'src/ünï code/run me.sh')])
  await symlink('src', path.join(root, 'way'))
  await symlink('/etc/passwd', path.join(root, 'out'))
  const before = await files.changes(100)

  const copied = await copy()
  expect(notes).toEqual({})
  expect(await readFile(path.join(copied, 'src/ünï code/run me.sh'), 'utf8')).toBe('echo hi')
  const [one, other] = await Promise.all(
    [root, copied].map((folder) => stat(path.join(folder, 'src/ünï code/run me.sh'))),
  )
  expect(other?.mode).toBe(one?.mode)
  expect(Math.abs(Number(other?.mtimeMs) - Number(one?.mtimeMs))).toBeLessThan(1)
  expect(await readlink(path.join(copied, 'way'))).toBe('src')
  expect(await readlink(path.join(copied, 'out'))).toBe('/etc/passwd')
  const { changes } = await reopen().changes(100)
  expect(changes.map(({ path: name, change, diff }) => ({ name, change, diff }))).toEqual(
    before.changes.map(({ path: name, change, diff }) => ({ name, change, diff })),
  )
})

test('a sparse file is sparse again, and counts in full against the bound', async () => {
  const { root, copy, pack, notes } = await aPair()
  await writeFile(path.join(root, 'hole'), 'begin')
  await truncate(path.join(root, 'hole'), 40_000_000)
  const copied = await stat(path.join(await copy(), 'hole'))
  expect(copied.size).toBe(40_000_000)
  expect(copied.blocks * 512).toBeLessThan(1_000_000)
  const names: string[] = []
  for await (const { path: name } of pack({ maxBytes: 30_000_000 })) names.push(name)
  expect([names.includes('files/hole'), notes]).toEqual([false, { hole: 'too large' }])
})

test('possible files of others, special files and nameless files are left out and noted', async () => {
  const { root, outside, notes, copy } = await aPair()
  await writeFile(path.join(outside, 'secret'), 'the master key')
  await link(path.join(outside, 'secret'), path.join(root, 'stolen'))
  await writeFile(path.join(root, 'one'), 'shared')
  await link(path.join(root, 'one'), path.join(root, 'two'))
  execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(root, 'pipe')])
  await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), 'x')
  const copied = await copy()
  expect(notes).toEqual({ stolen: 'linked', pipe: 'special', '.': 'unnamed' })
  expect(await readFile(path.join(copied, 'two'), 'utf8')).toBe('shared')
  await expect(stat(path.join(copied, 'stolen'))).rejects.toThrow('ENOENT')
})

test('a file that shrinks or grows while it is copied has the promised length and is noted', async () => {
  const { root, notes, pack, copy } = await aPair()
  await writeFile(path.join(root, 'short'), Buffer.alloc(1_000_000, 'a'))
  async function* shrinking() {
    for await (const entry of pack()) {
      if (entry.path === 'files/short') await truncate(path.join(root, 'short'), 10)
      yield entry
    }
  }
  const copied = await readFile(path.join(await copy(shrinking()), 'short'))
  expect([copied.length, copied.subarray(0, 11).toString()]).toEqual([
    1_000_000,
    `${'a'.repeat(10)}\0`,
  ])
  expect(notes).toEqual({ short: 'changed' })
})

test('a workspace that is removed while it is copied ends early', async () => {
  const { files, source, id, notes, pack, copy } = await aPair()
  await files.write('a', 'a')
  await files.write('b', 'b')
  async function* removing() {
    for await (const entry of pack()) {
      yield entry
      await source.remove(id)
    }
  }
  await copy(removing())
  expect(notes).toEqual({ '.': 'changed' })
})

test('no entry leads out of the workspace, and none replaces another', async () => {
  const { target, id, outside } = await aPair()
  await mkdir(path.join(outside, 'aim'))
  const unpacking = await target.unpack(id, { tenant: 't', owner: undefined })
  const aim = path.join(outside, 'aim')
  await unpacking.write(anEntry({ path: 'files/way', kind: 'link', target: aim }))
  await unpacking.write(anEntry({ path: 'files/up', kind: 'link', target: '..' }))
  await unpacking.write(anEntry({ path: 'files/a' }))
  for (const name of [
    'files/way/x',
    'files/up/x',
    'files/../x',
    'files/a',
    'files/way',
    'files',
    'files/\0',
    'tmp/x',
    'base/../x',
    'tenant.json',
    '../x',
  ]) {
    await expect(unpacking.write(anEntry({ path: name })), name).rejects.toMatchObject({
      code: expect.stringMatching(/invalid_input|conflict/),
    })
  }
  await expect(unpacking.write(anEntry({ path: 'files/way', kind: 'folder' }))).rejects.toThrow(
    'exists already',
  )
  await expect(stat(path.join(aim, 'x'))).rejects.toThrow('ENOENT')
})

test('a file whose path is too long for a workspace is noted', async () => {
  const { root, notes, copy } = await aPair()
  const names = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(240))
  const half = path.join(...names)
  await mkdir(path.join(root, half), { recursive: true })
  await mkdir(path.join(root, 'other', half), { recursive: true })
  await writeFile(path.join(root, 'other', half, 'deep.txt'), 'deep')
  await rename(path.join(root, 'other'), path.join(root, half, 'other'))
  await copy()
  // Otherwise nothing could remove it.
  await rename(path.join(root, half, 'other'), path.join(root, 'other'))
  expect(notes).toMatchObject({ [path.join(half, 'other', half, 'deep.txt')]: 'unnamed' })
})
