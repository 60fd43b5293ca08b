import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ApiKey, KeyStore } from '../../core/vault-ports.ts'
import { createApiKeyToken, parseApiKey } from '../api-key.ts'
import type { ApiKeyParts } from '../api-key.ts'
import type { Engine, Statement, TextRow } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { toStoredText, toStoredTextOrNull } from '../log/stored-text.ts'
import type { ApiKeysTable } from '../tables.ts'
import { createKeyUse } from './key-use.ts'

/**
 * A verified token is good for so long without asking again. It is also how late a key revoked on
 * another node stops working on this one, whatever happens to notifications.
 */
const rememberMs = 1_000
const rememberAtMost = 10_000

export interface ClosableKeyStore extends KeyStore {
  flush(): Promise<void>
  close(): Promise<void>
}

interface Remembered {
  until: number
  key: Promise<ApiKey | undefined>
}

/** API keys. Only an HMAC of the secret is stored; its pepper is sealed under the master key. */
export function createKeyStore(
  engine: Engine,
  pepper: Uint8Array,
  onWarning: (message: string) => void,
): ClosableKeyStore {
  const remembered = new Map<string, Remembered>()
  const use = createKeyUse(engine, onWarning)
  const hash = (parts: ApiKeyParts) =>
    createHmac('sha256', pepper).update(`${parts.id}_${parts.secret}`).digest()

  const look = async (parts: ApiKeyParts) => {
    const [row] = await engine.run(findKey, [parts.id])
    const given = hash(parts)
    // With no such key the comparison runs all the same, against nothing that can match.
    const isRight = timingSafeEqual(
      given,
      row ? Buffer.from(row[8] ?? '', 'hex') : Buffer.alloc(32),
    )
    return row && isRight ? toApiKey(toColumns(row)) : undefined
  }
  const recall = (token: string, parts: ApiKeyParts) => {
    const name = createHash('sha256').update(token).digest('base64')
    const known = remembered.get(name)
    if (known && known.until > Date.now()) return known.key
    const key = look(parts)
    remembered.delete(name)
    remembered.set(name, { until: Date.now() + rememberMs, key })
    // Only what was found is kept: guesses must not push real keys out.
    key.then(
      (found) => found ?? remembered.delete(name),
      () => remembered.delete(name),
    )
    if (remembered.size > rememberAtMost) remembered.delete(remembered.keys().next().value ?? '')
    return key
  }
  return {
    create: (request) => guarded(() => createKey(engine, request, hash)),
    async verify(token) {
      const parts = parseApiKey(token)
      if (parts === undefined) return undefined
      const key = await guarded(() => recall(token, parts))
      if (key === undefined || isOver(key)) return undefined
      use.note(key.id)
      return key
    },
    list: (tenant) => guarded(() => listKeys(engine, tenant)),
    async revoke(tenant, id) {
      const { numUpdatedRows } = await guarded(() =>
        engine.db
          .updateTable('api_keys')
          .set({ revoked_ms: Date.now() })
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toStoredText(id))
          .where('revoked_ms', 'is', null)
          .executeTakeFirst(),
      )
      remembered.clear()
      return numUpdatedRows > 0n
    },
    flush: () => use.flush(),
    close: () => use.close(),
  }
}

type KeyRequest = Parameters<KeyStore['create']>[0]

async function createKey(
  engine: Engine,
  request: KeyRequest,
  hash: (parts: ApiKeyParts) => Uint8Array,
): Promise<{ key: ApiKey; token: string }> {
  const { token, ...parts } = createApiKeyToken()
  const row = await engine.db
    .insertInto('api_keys')
    .values({
      id: parts.id,
      tenant: toStoredText(request.tenant),
      name: toStoredText(request.name),
      scopes: JSON.stringify(request.scopes),
      agent: toStoredTextOrNull(request.agent),
      hash: hash(parts),
      created_ms: Date.now(),
      expires_ms: request.expiresAt?.getTime() ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { key: toApiKey(row), token }
}

async function listKeys(engine: Engine, tenant: string): Promise<ApiKey[]> {
  const rows = await engine.db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(toApiKey)
}

function isOver(key: ApiKey): boolean {
  if (key.revokedAt !== undefined) return true
  return key.expiresAt !== undefined && Date.parse(key.expiresAt) <= Date.now()
}

type KeyColumns = Omit<Selectable<ApiKeysTable>, 'hash'>

function toApiKey(row: KeyColumns): ApiKey {
  const key: ApiKey = {
    id: row.id,
    tenant: row.tenant,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: toIso(row.created_ms),
  }
  if (row.agent !== null) key.agent = row.agent
  if (row.expires_ms !== null) key.expiresAt = toIso(row.expires_ms)
  if (row.last_used_ms !== null) key.lastUsedAt = toIso(row.last_used_ms)
  if (row.revoked_ms !== null) key.revokedAt = toIso(row.revoked_ms)
  return key
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Hot: every request over HTTP comes through here at least once a second. */
const findKey: Statement = {
  name: 'find_api_key',
  text: `select id, tenant, name, scopes, agent, created_ms::text, expires_ms::text, revoked_ms::text,
    encode(hash, 'hex') from api_keys where id = $1`,
}

function toColumns(row: TextRow): KeyColumns {
  const ms = (index: number) => (row[index] == null ? null : Number(row[index]))
  return {
    id: row[0] ?? '',
    tenant: row[1] ?? '',
    name: row[2] ?? '',
    scopes: row[3] ?? '[]',
    agent: row[4] ?? null,
    created_ms: Number(row[5]),
    expires_ms: ms(6),
    last_used_ms: null,
    revoked_ms: ms(7),
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}
