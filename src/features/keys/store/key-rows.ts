import type { Selectable } from 'kysely'
import { toolModes } from '../../../core/kernel/meta-tools.ts'
import type { ApiKey } from '../../../core/vault-ports.ts'
import type { Statement, TextRow } from '../../../store/engine/engine.ts'
import type { ApiKeysTable } from '../tables.ts'
import { toOwner } from './key-makers.ts'

export type KeyColumns = Omit<Selectable<ApiKeysTable>, 'hash' | 'previous_hash'>

/** A key with the digests of its secret and of the one before. */
export interface FoundKey {
  key: ApiKey
  hash: Buffer
  previousHash: Buffer
  previousUntilMs: number
}

/** Hot: every request over HTTP comes through here at least twice a second. */
export const findKey: Statement = {
  name: 'find_api_key',
  text: `select id, tenant, name, scopes, agent, created_ms::text, expires_ms::text, revoked_ms::text,
    rotated_ms::text, previous_until_ms::text, encode(hash, 'hex'), encode(previous_hash, 'hex'), tool_mode,
    parent, visitor, maker
    from api_keys where id = $1`,
}

/** The row of that statement. */
export function toFoundKey(row: TextRow): FoundKey {
  const ms = (index: number) => (row[index] == null ? null : Number(row[index]))
  const columns = {
    id: row[0] ?? '',
    tenant: row[1] ?? '',
    name: row[2] ?? '',
    scopes: row[3] ?? '[]',
    agent: row[4] ?? null,
    created_ms: Number(row[5]),
    expires_ms: ms(6),
    last_used_ms: null,
    revoked_ms: ms(7),
    rotated_ms: ms(8),
    previous_until_ms: ms(9),
    tool_mode: row[12] ?? null,
    parent: row[13] ?? null,
    visitor: row[14] ?? null,
    maker: row[15] ?? null,
  }
  return {
    key: toApiKey(columns),
    hash: toDigest(row[10]),
    previousHash: toDigest(row[11]),
    previousUntilMs: columns.previous_until_ms ?? 0,
  }
}

/** A key as people see it: neither its secret nor a digest of it. */
export function toApiKey(row: KeyColumns): ApiKey {
  const key: ApiKey = {
    id: row.id,
    tenant: row.tenant,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    ...(row.maker !== null && { owner: toOwner(row.maker) }),
    createdAt: toIso(row.created_ms),
  }
  if (row.agent !== null) key.agent = row.agent
  const toolMode = toolModes.find((mode) => mode === row.tool_mode)
  if (toolMode !== undefined) key.toolMode = toolMode
  if (row.expires_ms !== null) key.expiresAt = toIso(row.expires_ms)
  if (row.last_used_ms !== null) key.lastUsedAt = toIso(row.last_used_ms)
  if (row.rotated_ms !== null) key.rotatedAt = toIso(row.rotated_ms)
  const { previous_until_ms: until, rotated_ms: rotated } = row
  if (until !== null && until > (rotated ?? 0)) key.oldSecretUntil = toIso(until)
  if (row.revoked_ms !== null) key.revokedAt = toIso(row.revoked_ms)
  if (row.parent !== null) Object.assign(key, { parent: row.parent, visitor: row.visitor })
  return key
}

/** Zeros where there is none: no secret has that digest. */
function toDigest(hex: string | null | undefined): Buffer {
  return hex ? Buffer.from(hex, 'hex') : Buffer.alloc(32)
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
