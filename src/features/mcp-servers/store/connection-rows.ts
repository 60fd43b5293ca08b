import type { Selectable } from 'kysely'
import { ToolError } from '../../../core/kernel/errors.ts'
import type {
  ConnectionKey,
  Credential,
  PendingSignIn,
} from '../../../core/gateway/connection-store.ts'
import { createUuid } from '../../../core/kernel/ids.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { MasterKeyRing } from '../../../store/master-key.ts'
import { openEnvelope, sealEnvelope } from '../../../store/sealing/envelope.ts'
import { findKey } from '../../../store/sealing/key-checks.ts'
import type { SealedTable } from '../../../store/sealing/sealed-rows.ts'
import type { McpConnectionsTable } from '../tables.ts'

type Row = Selectable<McpConnectionsTable>

/**
 * The place of a row in its table, with a new id for every version. Ciphertext of one row does not
 * open in another.
 */
export function placeOf(key: ConnectionKey, { kind, name }: Pick<Row, 'kind' | 'name'>) {
  return {
    id: createUuid(),
    tenant: toStoredText(key.tenant),
    server: toStoredText(key.server),
    subject: toStoredText(key.subject),
    kind,
    name: toStoredText(name),
  }
}

/** A credential is bound to this and opens in no other row. */
function connectionBinding(
  row: Pick<Row, 'id' | 'tenant' | 'server' | 'subject' | 'kind' | 'name'>,
): readonly string[] {
  const { tenant, server, subject, kind, name } = row
  return [tenant, 'mcp-connection', server, subject, kind, name, row.id.replaceAll('-', '')]
}

/** Keys of credentials, for a rotation. */
export const sealedConnections: SealedTable = {
  table: 'mcp_connections',
  toBinding: (row: Row) => connectionBinding(row),
}

/** The sealed part of a new row. */
export function sealRow(
  ring: MasterKeyRing,
  place: ReturnType<typeof placeOf>,
  value: JsonValue,
): Pick<Row, 'key_id' | 'wrapped_key' | 'sealed'> {
  const content = Buffer.from(JSON.stringify(value), 'utf8')
  const key = findKey(ring, ring.activeId)
  const { wrappedKey, sealed } = sealEnvelope(key, content, connectionBinding(place))
  return { key_id: ring.activeId, wrapped_key: wrappedKey, sealed }
}

export function toCredential(ring: MasterKeyRing, row: Row): Credential {
  return {
    issuer: row.name,
    value: openRow(ring, row),
    version: row.version,
    updatedAt: row.updated_ms,
  }
}

export function toPending(ring: MasterKeyRing, row: Row): PendingSignIn {
  const { tenant, server, subject, expires_ms: expiresAt } = row
  return { tenant, server, subject, value: openRow(ring, row), expiresAt: expiresAt ?? 0 }
}

function openRow(ring: MasterKeyRing, row: Row): JsonValue {
  const key = findKey(ring, row.key_id)
  try {
    const envelope = { wrappedKey: row.wrapped_key, sealed: row.sealed }
    const content = openEnvelope(key, envelope, connectionBinding(row))
    return JSON.parse(Buffer.from(content).toString('utf8')) as JsonValue
  } catch (error) {
    throw new ToolError(
      'secret_missing',
      `The stored credentials for ${row.server} were altered and do not open.`,
      { fix: `Sign in again: toolcrib mcp login ${row.server}`, cause: error },
    )
  }
}
