import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createAllowance } from '../../features/workspaces/allowance.ts'
import { aWorkspace } from './a-workspace.fixture.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('a file is written with its folders, read in parts, changed, moved and deleted', async () => {
  const { files } = await aWorkspace()
  const written = await files.write('src/deep/a.txt', 'hello')
  expect(written).toEqual({
    path: 'src/deep/a.txt',
    kind: 'file',
    bytes: 5,
    modifiedAt: expect.any(String),
  })
  const part = await files.read('src/deep/a.txt', { offset: 1, maxBytes: 3 })
  expect([text(part.bytes), part.isPartial]).toEqual(['ell', true])
  const rest = await files.read('src/deep/a.txt', { offset: 1 })
  expect([text(rest.bytes), rest.isPartial]).toEqual(['ello', false])
  await files.edit('src/deep/a.txt', (before) => `${before} there`)
  expect(text((await files.read('src/deep/a.txt')).bytes)).toBe('hello there')
  await files.move('src/deep/a.txt', 'b/c.txt')
  expect(await files.stat('src/deep/a.txt')).toBeUndefined()
  await files.delete('b/c.txt')
  await files.delete('src', { recursive: true })
  const { entries } = await files.list('', { recursive: true, limit: 10 })
  expect(entries.map((entry) => entry.path)).toEqual(['b'])
})

test('an existing file is replaced only on request', async () => {
  const { files } = await aWorkspace()
  await files.write('a', '1')
  await files.write('b', '2')
  await expect(files.write('a', 'x', { overwrite: false })).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect(files.move('a', 'b')).rejects.toMatchObject({ code: 'conflict' })
  await expect(files.write('a', 'x', { ifContent: '2' })).rejects.toMatchObject({
    code: 'conflict',
  })
  await files.write('a', 'x', { ifContent: '1' })
  await files.write('new', 'n', { overwrite: false })
  await files.move('a', 'b', { overwrite: true })
  const { entries } = await files.list('', { limit: 10 })
  expect(entries.map((entry) => entry.path)).toEqual(['b', 'new'])
  expect(text((await files.read('b')).bytes)).toBe('x')
})

test('a file keeps its rights when it is replaced, and leaves nothing else behind', async () => {
  const { files, root } = await aWorkspace()
  await files.write('run.sh', 'echo 1')
  chmodSync(path.join(root, 'run.sh'), 0o755)
  await files.write('run.sh', 'echo 2')
  expect(statSync(path.join(root, 'run.sh')).mode & 0o777).toBe(0o755)
  expect(readdirSync(path.join(root, '..', 'tmp'))).toEqual([])
})

test('fifty edits at once all land', async () => {
  const { files } = await aWorkspace()
  await files.write('count', '0')
  await Promise.all(
    Array.from({ length: 50 }, () => files.edit('count', (before) => String(Number(before) + 1))),
  )
  expect(text((await files.read('count')).bytes)).toBe('50')
})

test('paths that no disk could mean well are refused', async () => {
  const { files } = await aWorkspace()
  await files.write('plain', 'x')
  const bad = [
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a\0b',
    '\uD800',
    'x'.repeat(256),
    'a/'.repeat(65),
    'ä'.repeat(3000),
    '',
    '.',
    'plain/x',
    'plain/',
  ]
  for (const one of bad) {
    await expect(files.write(one, 'x'), JSON.stringify(one.slice(0, 20))).rejects.toMatchObject({
      code: 'invalid_input',
    })
  }
})

test('names of every kind are kept as they are', async () => {
  const { files } = await aWorkspace()
  const names = [
    ' ',
    'a b',
    'a\nb',
    '👩‍💻.md',
    'é',
    'e\u0301',
    'A',
    'a',
    '-rf',
    '*',
    '\\',
    '$(x)',
    '..a',
  ]
  for (const name of names) await files.write(name, name)
  const { entries } = await files.list('', { limit: 100 })
  expect(entries.map((entry) => entry.path).toSorted()).toEqual(names.toSorted())
  for (const name of names) expect(text((await files.read(name)).bytes)).toBe(name)
})

test('links within the workspace are followed, links out of it are not', async () => {
  const { files, root, outside } = await aWorkspace()
  writeFileSync(path.join(outside, 'secret'), 'secret')
  await files.write('real/file', 'inside')
  symlinkSync('real', path.join(root, 'folder'))
  symlinkSync('../real/../real/file', path.join(root, 'real', 'again'))
  symlinkSync('../../../secret', path.join(root, 'out'))
  symlinkSync(path.join(outside, 'secret'), path.join(root, 'absolute'))
  symlinkSync('loop', path.join(root, 'loop'))
  symlinkSync('real/new', path.join(root, 'dangling'))
  symlinkSync('../..', path.join(root, 'up'))
  expect(text((await files.read('folder/again')).bytes)).toBe('inside')
  for (const bad of ['out', 'absolute', 'loop', 'up/secret', 'up', 'loop/', 'out/']) {
    for (const step of [
      () => files.read(bad),
      () => files.write(bad, 'x'),
      () => files.list(bad, { limit: 1 }),
    ]) {
      await expect(step(), bad).rejects.toMatchObject({ code: 'invalid_input' })
    }
  }
  await files.write('dangling', 'made')
  expect(readFileSync(path.join(root, 'real', 'new'), 'utf8')).toBe('made')
  // A link is moved and deleted itself.
  await files.move('out', 'gone')
  await files.delete('gone')
  await files.delete('up')
  expect(readFileSync(path.join(outside, 'secret'), 'utf8')).toBe('secret')
  expect(await files.stat('absolute')).toMatchObject({ kind: 'link' })
})

test('pipes, sockets and hard links are neither read nor written, and hold nothing up', async () => {
  const { files, root, outside } = await aWorkspace()
  writeFileSync(path.join(outside, 'shared'), 'shared')
  linkSync(path.join(outside, 'shared'), path.join(root, 'linked'))
  execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(root, 'pipe')])
  symlinkSync('pipe', path.join(root, 'to-pipe'))
  await files.write('fine', 'needle')
  const bad = ['pipe', 'to-pipe', 'linked']
  const steps = bad.flatMap((name) => [
    () => files.read(name),
    () => files.write(name, 'x'),
    () => files.edit(name, () => 'x'),
  ])
  for (const step of steps) {
    await expect(step()).rejects.toMatchObject({ code: 'invalid_input' })
  }
  const { matches } = await files.grep({ pattern: 'needle|shared', limit: 10 })
  expect(matches).toEqual([{ path: 'fine', line: 1, text: 'needle' }])
  expect(readFileSync(path.join(outside, 'shared'), 'utf8')).toBe('shared')
  await files.delete('pipe')
})

test('a sparse file of five gigabytes is read in part and searched in part', async () => {
  const { files, root } = await aWorkspace()
  writeFileSync(path.join(root, 'huge'), 'start')
  truncateSync(path.join(root, 'huge'), 5 * 2 ** 30)
  const { bytes, isPartial } = await files.read('huge', { maxBytes: 5 })
  expect([text(bytes), isPartial]).toEqual(['start', true])
  expect((await files.measure(10)).bytes).toBeLessThan(1_000_000)
  expect(await files.grep({ pattern: 'start', limit: 5 })).toMatchObject({ filesRead: 0 })
})

test('a deep and stubborn tree is removed, and its size is known before', async () => {
  const { files, root } = await aWorkspace()
  execFileSync('sh', [
    '-c',
    'cd "$0"; mkdir t; cd t; for i in $(seq 100); do mkdir d; cd d; echo x > f; done; chmod 500 .',
    root,
  ])
  mkdirSync(path.join(root, 't', 'closed'), { mode: 0 })
  expect(await files.list('', { recursive: true, limit: 1000 })).toMatchObject({ isPartial: true })
  await expect(files.delete('t')).rejects.toMatchObject({ code: 'conflict' })
  await files.delete('t', { recursive: true })
  expect(readdirSync(root)).toEqual([])
  expect(readdirSync(path.join(root, '..', 'tmp'))).toEqual([])
})

test('text that is not UTF-8 is not edited', async () => {
  const { files } = await aWorkspace()
  await files.write('bin', new Uint8Array([0xff, 0xfe, 0]))
  await expect(files.edit('bin', (before) => before)).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await expect(files.write('x', 'a\uD800')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a write that is refused leaves no new folders and is not counted', async () => {
  const allowance = createAllowance({ bytes: 0, files: 0 }, { maxBytes: 10, maxFiles: 4 })
  const { files, root } = await aWorkspace({ allowance })
  const long = 'x'.repeat(300)
  await files.write('there/a', 'x')
  const before = allowance.usage()
  await expect(files.write('new/deep/a', 'x'.repeat(11))).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  await expect(files.write('new/a/b/c/d', 'x')).rejects.toMatchObject({ code: 'quota_exceeded' })
  await expect(files.write('new/../../out', 'x')).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(files.write(`new/${long}`, 'x')).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(files.move('missing', 'new/a')).rejects.toMatchObject({ code: 'not_found' })
  const there = new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }))
  expect(there).toEqual(new Set(['there', 'there/a']))
  expect(allowance.usage()).toEqual(before)
})
