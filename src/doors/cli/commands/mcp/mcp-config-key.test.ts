import { mkdir, mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { formatApiKey } from '../../../../core/keys/api-key-token.ts'
import { runLine } from '../../testing/run-line.ts'

const url = 'https://crib.example.com'

interface HeldKey {
  id: string
  name: string
  revokedAt?: string
}

/** A server that keeps keys, and a folder of somebody who uses Cursor. */
async function openShared(before?: string) {
  const home = await mkdtemp(path.join(tmpdir(), 'toolcrib-keys-'))
  const file = path.join(home, '.cursor/mcp.json')
  await mkdir(path.dirname(file))
  if (before !== undefined) await writeFile(file, before, { mode: 0o644 })
  const keys: HeldKey[] = []
  const fetch = async (address: string, init?: RequestInit) => {
    const id = address.split('/keys/')[1]
    if (init?.method === 'DELETE') {
      for (const key of keys) if (key.id === id) key.revokedAt = 'now'
      return new Response(null, { status: 204 })
    }
    if (init?.method !== 'POST') return Response.json({ items: keys })
    const { name } = JSON.parse(init.body as string) as { name: string }
    const key = { id: `key000000${keys.length}`, name }
    keys.push(key)
    return Response.json({ key, token: tokenOf(key.id) })
  }
  const write = async (...words: string[]) => {
    const line = ['mcp', 'config', 'cursor', '--url', url, '--write', '--json', ...words]
    const env = { HOME: home, TOOLCRIB_KEY: 'crib_mine' }
    const { code, out, err } = await runLine(line, { env, more: { fetch } })
    return { code, err, shown: (code === 0 ? JSON.parse(out) : {}) as Record<string, unknown> }
  }
  const modes = async () => {
    const names = (await readdir(path.dirname(file))).toSorted()
    return Promise.all(
      names.map(async (name) => [
        name,
        (await stat(path.join(path.dirname(file), name))).mode & 0o777,
      ]),
    )
  }
  return { file, copy: `${file}.before-toolcrib`, keys, write, modes }
}

const tokenOf = (id: string) => formatApiKey({ id, secret: 's'.repeat(32) })
const entryOf = (token: string) =>
  JSON.stringify({ mcpServers: { toolcrib: { headers: { Authorization: `Bearer ${token}` } } } })

test('a file that gets a key is for its owner alone, and so is the copy of what was there', async () => {
  const { write, modes } = await openShared('{}')
  await write('--create-key')
  expect(await modes()).toEqual([
    ['mcp.json', 0o600],
    ['mcp.json.before-toolcrib', 0o600],
  ])
})

test('a second run ends the key that it replaces, and leaves the first copy as it is', async () => {
  const { file, copy, keys, write } = await openShared('{"theme":"dark"}')
  expect((await write('--create-key')).shown).toMatchObject({ keyId: 'key0000000', backup: copy })
  const { shown } = await write('--create-key')
  expect(shown).toMatchObject({
    keyId: 'key0000001',
    replacedKey: { id: 'key0000000', revoked: true },
  })
  expect(shown).not.toHaveProperty('backup')
  expect(keys.map(({ revokedAt }) => revokedAt)).toEqual(['now', undefined])
  expect(await readFile(copy, 'utf8')).toBe('{"theme":"dark"}')
  expect(await readFile(file, 'utf8')).toContain(tokenOf('key0000001'))
})

test('no copy is made of an entry with a key', async () => {
  const { write, modes } = await openShared()
  await write('--create-key')
  await write('--create-key')
  expect(await modes()).toEqual([['mcp.json', 0o600]])
})

test('a key that was made for something else is left, and named', async () => {
  const { keys, write } = await openShared(entryOf(tokenOf('key000000x')))
  keys.push({ id: 'key000000x', name: 'ci' })
  expect((await write('--create-key')).shown).toMatchObject({
    replacedKey: { id: 'key000000x', revoked: false },
  })
  expect(keys.filter(({ revokedAt }) => revokedAt !== undefined)).toEqual([])
})

test('without a new key no request is sent, and the previous key is named', async () => {
  const { file, write, modes } = await openShared(entryOf(tokenOf('key000000y')))
  expect((await write()).shown).toMatchObject({
    replacedKey: { id: 'key000000y', revoked: false },
  })
  expect(await readFile(file, 'utf8')).not.toContain('key000000y')
  expect(await modes()).toEqual([['mcp.json', 0o600]])
})

test('for a file that can not be written no key is made', async () => {
  const { keys, write } = await openShared('{ // mine\n}')
  const { code, err } = await write('--create-key')
  expect([code === 0, err, keys]).toEqual([false, expect.stringContaining('was not changed'), []])
})
