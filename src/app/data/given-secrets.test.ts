import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTempFolder } from '../../store/contract/temp-store.ts'
import { readDatabaseUrl, readGivenMasterKeys } from './given-secrets.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeAll(async () => {
  folder = await createTempFolder()
})
afterAll(() => folder.remove())

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder.path, name)
  await writeFile(file, text)
  return file
}

test('the master key is the variable, or the content of its file without the trailing line break', async () => {
  const file = await write('key', 'k1:abc\n')
  expect(await readGivenMasterKeys({})).toBeUndefined()
  expect(await readGivenMasterKeys({ TOOLCRIB_MASTER_KEY: '' })).toBeUndefined()
  expect(await readGivenMasterKeys({ TOOLCRIB_MASTER_KEY: 'k1:abc' })).toBe('k1:abc')
  expect(await readGivenMasterKeys({ TOOLCRIB_MASTER_KEY_FILE: file })).toBe('k1:abc')
})

test('a file that is missing or empty, or set beside its variable, refuses the start', async () => {
  const empty = await write('empty', '\n')
  const codeOf = (env: Record<string, string>) =>
    readGivenMasterKeys(env).catch((error: Error) => error.message)
  expect(await codeOf({ TOOLCRIB_MASTER_KEY_FILE: path.join(folder.path, 'none') })).toMatch(
    /^The file in TOOLCRIB_MASTER_KEY_FILE can't be read: ENOENT/,
  )
  expect(await codeOf({ TOOLCRIB_MASTER_KEY_FILE: empty })).toMatch(/is empty/)
  expect(await codeOf({ TOOLCRIB_MASTER_KEY: 'k', TOOLCRIB_MASTER_KEY_FILE: empty })).toMatch(
    /is empty/,
  )
  const file = await write('key', 'k')
  expect(await codeOf({ TOOLCRIB_MASTER_KEY: 'k', TOOLCRIB_MASTER_KEY_FILE: file })).toBe(
    'TOOLCRIB_MASTER_KEY and TOOLCRIB_MASTER_KEY_FILE are both set',
  )
})

test('the address comes from the option, else the environment, else the configuration', async () => {
  const env = { TOOLCRIB_DATABASE: 'postgres://env/db' }
  const configured = 'postgres://config/db'
  expect(await readDatabaseUrl(env, { option: 'postgres://option/db', configured })).toBe(
    'postgres://option/db',
  )
  expect(await readDatabaseUrl(env, { configured })).toBe('postgres://env/db')
  expect(await readDatabaseUrl({}, { configured })).toBe(configured)
  expect(await readDatabaseUrl({}, {})).toBeUndefined()
})

test('any password from a file is in the address unchanged', async () => {
  const file = path.join(folder.path, 'password')
  const env = { TOOLCRIB_DATABASE_PASSWORD_FILE: file }
  const password = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => {
    return text.trim() === text
  })
  await fc.assert(
    fc.asyncProperty(password, async (text) => {
      await writeFile(file, `${text}\n`)
      const url = await readDatabaseUrl(env, { option: 'postgres://crib:old@db:5432/crib' })
      const { password: encoded, username, host, pathname } = new URL(url ?? '')
      expect([decodeURIComponent(encoded), username, host, pathname]).toEqual([
        text,
        'crib',
        'db:5432',
        '/crib',
      ])
    }),
  )
})

test('a password requires an address', async () => {
  const env = { TOOLCRIB_DATABASE_PASSWORD_FILE: await write('password', 'secret') }
  await expect(readDatabaseUrl(env, { option: 'host=db secret' })).rejects.toMatchObject({
    code: 'invalid_config',
    message: 'The address of the database is not a URL',
  })
  expect(await readDatabaseUrl(env, {})).toBeUndefined()
})
