import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ToolError } from '../../core/kernel/errors.ts'
import type { MasterKeyRing } from '../master-key.ts'
import type { Tables } from '../tables.ts'
import { openEnvelope, rewrapKey, seal, sealEnvelope, unseal } from './envelope.ts'

const pepperName = 'pepper'
const checkText = Buffer.from('toolcrib')

interface StoredPepper {
  keyId: string
  wrappedKey: string
  sealed: string
}

/**
 * Proves that the ring is the one this store was written with, and hands back the pepper of the API
 * keys, which is made on the first start and sealed like a secret. A ring that is refused leaves
 * nothing behind: a check of a wrong key would later refuse the right one of that id.
 */
export async function unlockStore(db: Kysely<Tables>, ring: MasterKeyRing): Promise<Uint8Array> {
  for (const [id, key] of ring.keys) await checkKey(db, id, key)
  const fresh = sealPepper(ring, randomBytes(32))
  await db
    .insertInto('store_state')
    .values({ name: pepperName, value: JSON.stringify(fresh) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const pepper = openPepper(ring, await readPepper(db))
  await enterKeys(db, ring.keys)
  return pepper
}

/** Notes keys that this store has not seen; throws for one that is another than it was. */
export async function enterKeys(
  db: Kysely<Tables>,
  keys: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  for (const [id, key] of keys) await enterKey(db, id, key)
}

/** A key that is out of use: the id is free again. */
export async function forgetKey(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('store_state').where('name', '=', `key-check:${id}`).execute()
}

/** The key under which the pepper is sealed. */
export async function findPepperKey(db: Kysely<Tables>): Promise<string> {
  return (await readPepper(db)).keyId
}

/** Seals the pepper's key under the active master key. True when it was not yet. */
export async function rotatePepper(db: Kysely<Tables>, ring: MasterKeyRing): Promise<boolean> {
  const stored = await readPepper(db)
  if (stored.keyId === ring.activeId) return false
  const keys = { from: findKey(ring, stored.keyId), to: findKey(ring, ring.activeId) }
  const wrappedKey = rewrapKey(keys, fromText(stored.wrappedKey), [pepperName])
  const value = { ...stored, keyId: ring.activeId, wrappedKey: toText(wrappedKey) }
  const { numUpdatedRows } = await db
    .updateTable('store_state')
    .set({ value: JSON.stringify(value) })
    .where('name', '=', pepperName)
    .where('value', '=', JSON.stringify(stored))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The key of that id, or wrong_master_key. */
export function findKey(ring: MasterKeyRing, id: string): Uint8Array {
  const key = ring.keys.get(id)
  if (key !== undefined) return key
  throw new ToolError(
    'wrong_master_key',
    `The store is sealed with master key ${id}, which is not in the key ring.`,
    {
      fix: 'Start with the master.key file (or the configured key) that this store was made with. Nodes that share a PostgreSQL need the same one.',
    },
  )
}

/** One sealed word per key id, written when the id is first used; looked at again, as another node may have been first. */
async function enterKey(db: Kysely<Tables>, id: string, key: Uint8Array): Promise<void> {
  await db
    .insertInto('store_state')
    .values({ name: `key-check:${id}`, value: toText(seal(key, checkText, ['check', id])) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await checkKey(db, id, key)
}

/** An id that this store has not seen yet passes. */
async function checkKey(db: Kysely<Tables>, id: string, key: Uint8Array): Promise<void> {
  const row = await db
    .selectFrom('store_state')
    .select('value')
    .where('name', '=', `key-check:${id}`)
    .executeTakeFirst()
  if (row === undefined) return
  try {
    unseal(key, fromText(row.value), ['check', id])
  } catch (error) {
    throw new ToolError(
      'wrong_master_key',
      `Master key ${id} is not the one this store was made with.`,
      {
        fix: 'Start with the master.key file (or the configured key) that belongs to this data.',
        cause: error,
      },
    )
  }
}

function sealPepper(ring: MasterKeyRing, pepper: Uint8Array): StoredPepper {
  const envelope = sealEnvelope(findKey(ring, ring.activeId), pepper, [pepperName])
  return {
    keyId: ring.activeId,
    wrappedKey: toText(envelope.wrappedKey),
    sealed: toText(envelope.sealed),
  }
}

async function readPepper(db: Kysely<Tables>): Promise<StoredPepper> {
  const row = await db
    .selectFrom('store_state')
    .select('value')
    .where('name', '=', pepperName)
    .executeTakeFirstOrThrow()
  return JSON.parse(row.value) as StoredPepper
}

function openPepper(ring: MasterKeyRing, stored: StoredPepper): Uint8Array {
  const envelope = { wrappedKey: fromText(stored.wrappedKey), sealed: fromText(stored.sealed) }
  const key = findKey(ring, stored.keyId)
  try {
    return openEnvelope(key, envelope, [pepperName])
  } catch (error) {
    throw new ToolError('wrong_master_key', 'The stored pepper of the API keys does not open.', {
      fix: 'Start with the master key that belongs to this data.',
      cause: error,
    })
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function fromText(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
