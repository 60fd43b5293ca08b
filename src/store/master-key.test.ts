import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTempFolder } from './contract/temp-store.ts'
import { createKeyFile, createMasterKey, loadMasterKeys, parseMasterKeys } from './master-key.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeEach(async () => {
  folder = await createTempFolder()
})
afterEach(() => folder.remove())

test('the first start makes a private key file and later ones read the same key', async () => {
  const ring = await loadMasterKeys({ dataDir: folder.path })
  expect(ring.keys.get(ring.activeId)).toHaveLength(32)
  expect((await stat(join(folder.path, 'master.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder.path)).toEqual(['master.key'])
  expect(await loadMasterKeys({ dataDir: folder.path })).toEqual(ring)
})

test('two first starts at once end with one key', async () => {
  const rings = await Promise.all(
    Array.from({ length: 8 }, () => loadMasterKeys({ dataDir: folder.path })),
  )
  expect(new Set(rings.map(({ activeId }) => activeId)).size).toBe(1)
})

test('keys given as text win, in base64 or hex, with or without an id', async () => {
  const key = randomBytes(32)
  const expected = (id: string) => ({ activeId: id, keys: new Map([[id, Uint8Array.from(key)]]) })
  const load = async (text: string) => {
    const ring = await loadMasterKeys({ dataDir: folder.path, text })
    return {
      ...ring,
      keys: new Map([...ring.keys].map(([id, bytes]) => [id, Uint8Array.from(bytes)])),
    }
  }
  expect(await load(`main:${key.toString('base64')}`)).toEqual(expected('main'))
  expect(await load(`main:${key.toString('base64url')}`)).toEqual(expected('main'))
  const bare = await load(key.toString('hex'))
  expect(bare).toEqual(expected(bare.activeId))
  expect(bare.activeId).toMatch(/^k[0-9a-f]{12}$/)
  expect(await readdir(folder.path)).toEqual([])
})

test('the first of several keys is the active one', () => {
  const [a, b] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const ring = parseMasterKeys(`# comment\nnew:${a}\n\nold:${b}\n`)
  expect([ring.activeId, [...ring.keys.keys()]]).toEqual(['new', ['new', 'old']])
  expect([...parseMasterKeys(`new:${a},old:${b}`).keys.keys()]).toEqual(['new', 'old'])
})

test('an invalid key is refused', () => {
  const short = randomBytes(16).toString('base64')
  for (const text of ['', '# nothing', 'password', short, `k:${short}`, 'a b:c', 'A'.repeat(42)]) {
    expect(() => parseMasterKeys(text)).toThrow(
      expect.objectContaining({ code: 'wrong_master_key' }),
    )
  }
})

test('a lost key file beside existing data is not quietly replaced', async () => {
  await mkdir(join(folder.path, 'db'))
  await writeFile(join(folder.path, 'db', 'PG_VERSION'), '18\n')
  await expect(loadMasterKeys({ dataDir: folder.path })).rejects.toMatchObject({
    code: 'wrong_master_key',
  })
  expect(await readdir(folder.path)).toEqual(['db'])
})

test('a key file that others can read is warned about', async () => {
  await loadMasterKeys({ dataDir: folder.path })
  await chmod(join(folder.path, 'master.key'), 0o644)
  const warnings: string[] = []
  await loadMasterKeys({ dataDir: folder.path, onWarning: (message) => warnings.push(message) })
  expect(warnings).toEqual([expect.stringContaining('chmod 600')])
})

test('an added key comes first and the old one stays until it is removed', async () => {
  const before = await loadMasterKeys({ dataDir: folder.path })
  const { file } = createKeyFile(folder.path)
  const own = createMasterKey()
  const after = await file!.add()
  expect(after.activeId).not.toBe(before.activeId)
  expect([...after.keys.keys()]).toEqual([after.activeId, before.activeId])
  const again = await file!.add(own)
  expect([...again.keys.keys()]).toEqual([own.id, after.activeId, before.activeId])
  await file!.remove(before.activeId)
  const left = await loadMasterKeys({ dataDir: folder.path })
  expect([...left.keys.keys()]).toEqual([own.id, after.activeId])
  const text = await readFile(join(folder.path, 'master.key'), 'utf8')
  expect(text).toContain('Keep a copy apart')
  expect((await stat(join(folder.path, 'master.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder.path)).toEqual(['master.key'])
})
