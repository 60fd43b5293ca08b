import { storeTime } from '../../../core/kernel/ids.ts'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Principal } from '../../../core/kernel/call.ts'
import type { ApiKeyParts } from '../../../core/keys/api-key-token.ts'
import type { Page } from '../../../core/kernel/page.ts'
import type {
  ApiKey,
  IssuedKey,
  KeyQuery,
  KeyRequest,
  KeyRotation,
} from '../../../core/vault-ports.ts'
import { createApiKeyToken } from '../create-api-key-token.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { recordEventOf } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import { findMaker } from './key-makers.ts'
import { toApiKey } from './key-rows.ts'
import { toPage, toPageLimit } from '../../../store/engine/page.ts'

/** The digest under which a secret is kept. */
export type KeyHash = (parts: ApiKeyParts) => Uint8Array

const maxPage = 1000

/** Creates a key and records it in the same transaction. */
export async function createKey(
  transaction: Transaction<Tables>,
  request: KeyRequest,
  hash: KeyHash,
): Promise<IssuedKey> {
  const { token, ...parts } = createApiKeyToken()
  const row = await transaction
    .insertInto('api_keys')
    .values({
      id: parts.id,
      tenant: toStoredText(request.tenant),
      name: toStoredText(request.name),
      scopes: JSON.stringify(request.scopes),
      agent: toStoredTextOrNull(request.agent),
      hash: hash(parts),
      created_ms: storeTime(),
      expires_ms: request.expiresAt?.getTime() ?? null,
      tool_mode: request.toolMode ?? null,
      maker: await findMaker(transaction, request),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const key = toApiKey(row)
  const { id, name, scopes, agent, expiresAt } = key
  const data = { id, name, scopes: [...scopes], ...(agent && { agent }) }
  await recordEventOf(transaction, request, {
    type: 'key.created',
    data: { ...data, ...(expiresAt && { expiresAt }) },
  })
  return { key, token }
}

/** Gives a live key another secret; undefined when there is no such key. */
export async function rotateKey(
  transaction: Transaction<Tables>,
  {
    tenant,
    id,
    now,
    overlapMs = 0,
    by,
    home,
  }: KeyRotation & {
    tenant: string
    id: string
    now: number
  },
  hash: KeyHash,
): Promise<IssuedKey | undefined> {
  const { token, ...parts } = createApiKeyToken(id)
  const row = await transaction
    .updateTable('api_keys')
    .set({
      previous_hash: sql<Uint8Array>`hash`,
      previous_until_ms: now + overlapMs,
      hash: hash(parts),
      rotated_ms: now,
      maker: await findMaker(transaction, { tenant, by, home }),
    })
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toStoredText(id))
    .where('revoked_ms', 'is', null)
    .where((eb) => eb.or([eb('expires_ms', 'is', null), eb('expires_ms', '>', now)]))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (overlapMs === 0) await endVisitorTokens(transaction, row)
  const key = toApiKey(row)
  const { oldSecretUntil } = key
  const data = { id, ...(oldSecretUntil !== undefined && { oldSecretUntil }) }
  await recordEventOf(transaction, { tenant, by }, { type: 'key.rotated', data })
  return { key, token }
}

/**
 * The holder of the old secret may have issued tokens with it; with another digest none of them
 * verifies.
 */
async function endVisitorTokens(
  transaction: Transaction<Tables>,
  { id, hash }: { id: string; hash: Uint8Array },
): Promise<void> {
  await transaction.updateTable('api_keys').set({ hash }).where('parent', '=', id).execute()
}

/** Ends a key and its visitors' with it; false when there is none that lives. */
export async function revokeKey(
  transaction: Transaction<Tables>,
  { tenant, id, by }: { tenant: string; id: string; by?: Principal },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set({ revoked_ms: storeTime() })
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toStoredText(id))
    .where('revoked_ms', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await transaction
    .updateTable('api_keys')
    .set({ revoked_ms: storeTime() })
    .where('parent', '=', toStoredText(id))
    .where('revoked_ms', 'is', null)
    .execute()
  await recordEventOf(transaction, { tenant, by }, { type: 'key.revoked', data: { id } })
  return true
}

/** A page of keys, the oldest first. */
export async function pageOfKeys(
  { db }: Engine,
  tenant: string,
  { agent, parent, after, limit: asked }: KeyQuery,
): Promise<Page<ApiKey>> {
  const limit = toPageLimit(asked, maxPage)
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .orderBy('created_ms')
    .orderBy('id')
    .limit(limit + 1)
  query =
    parent === undefined
      ? query.where('parent', 'is', null)
      : query.where('parent', '=', toStoredText(parent))
  if (agent !== undefined) query = query.where('agent', '=', toStoredText(agent))
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(created_ms, id) > (select a.created_ms, a.id from api_keys a
        where a.tenant = ${toStoredText(tenant)} and a.id = ${toStoredText(after)})`,
    )
  }
  const rows = (await query.execute()).map(toApiKey)
  return toPage(rows, limit, ({ id }) => id)
}
