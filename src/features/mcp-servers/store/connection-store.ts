import type { ExpressionBuilder, Selectable, Transaction } from 'kysely'
import type {
  ConnectionFacts,
  ConnectionKey,
  ConnectionStore,
  CredentialEntry,
  CredentialKind,
} from '../../../core/gateway/connection-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { MasterKeyRing } from '../../../store/master-key.ts'
import { hashToken } from '../../../store/one-time-token.ts'
import type { Tables } from '../../../store/tables.ts'
import { placeOf, sealRow, toCredential, toPending } from './connection-rows.ts'
import type { McpConnectionsTable } from '../tables.ts'

const listAtMost = 10_000
const sweptAtOnce = 1000

/** Credentials for MCP servers, on whichever engine. */
export function createConnectionStore(engine: Engine, ring: MasterKeyRing): ConnectionStore {
  const { db } = engine
  return {
    find: (key, which) =>
      guarded(async () => {
        const row = await findRow(engine, key, which)
        return row && toCredential(ring, row)
      }),
    put: (key, entry) =>
      changeIn(engine, (transaction) => put(transaction, ring, { key, entry, now: engine.now() })),
    lease: (key, kind, { issuer, version, ms }) =>
      guarded(async () => {
        const now = engine.now()
        const { numUpdatedRows } = await db
          .updateTable('mcp_connections')
          .set({ lease_ms: now + ms })
          .where(isOf(key))
          .where('kind', '=', kind)
          .where('name', '=', toStoredText(issuer))
          .where('version', '=', version)
          .where((eb) => eb.or([eb('lease_ms', 'is', null), eb('lease_ms', '<=', now)]))
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    release: (key, kind, { issuer, version }) =>
      guarded(async () => {
        await db
          .updateTable('mcp_connections')
          .set({ lease_ms: null })
          .where(isOf(key))
          .where('kind', '=', kind)
          .where('name', '=', toStoredText(issuer))
          .where('version', '=', version)
          .execute()
      }),
    remove: (key, which) => changeIn(engine, (transaction) => remove(transaction, key, which)),
    list: (tenant, server) => guarded(() => list(engine, tenant, server)),
    ...createPendingSignIns(engine, ring),
    sweep: () => guarded(() => sweep(engine)),
  }
}

/** Sign-ins that have not come back. */
function createPendingSignIns(
  engine: Engine,
  ring: MasterKeyRing,
): Pick<ConnectionStore, 'begin' | 'peek' | 'take'> {
  const { db } = engine
  return {
    begin: (state, pending) =>
      guarded(async () => {
        const place = placeOf(pending, { kind: 'pending', name: digestOf(state) })
        const now = engine.now()
        const sealed = sealRow(ring, place, pending.value)
        const times = { created_ms: now, updated_ms: now, expires_ms: pending.expiresAt }
        await db
          .insertInto('mcp_connections')
          .values({ ...place, ...sealed, ...times, version: 1 })
          .execute()
      }),
    peek: (state) =>
      guarded(async () => {
        const row = await db
          .selectFrom('mcp_connections')
          .selectAll()
          .where(isPending(state, engine.now()))
          .executeTakeFirst()
        return row && toPending(ring, row)
      }),
    take: (state) =>
      guarded(async () => {
        const row = await db
          .deleteFrom('mcp_connections')
          .where(isPending(state, engine.now()))
          .returningAll()
          .executeTakeFirst()
        return row && toPending(ring, row)
      }),
  }
}

function isPending(state: string, now: number) {
  return ({ and, eb }: Conditions) =>
    and([eb('kind', '=', 'pending'), eb('name', '=', digestOf(state)), eb('expires_ms', '>', now)])
}

function digestOf(state: string): string {
  return hashToken(state).toString('hex')
}

function isOf(key: ConnectionKey) {
  return ({ and, eb }: Conditions) =>
    and([
      eb('tenant', '=', toStoredText(key.tenant)),
      eb('server', '=', toStoredText(key.server)),
      eb('subject', '=', toStoredText(key.subject)),
    ])
}

type Conditions = ExpressionBuilder<Tables, 'mcp_connections'>

function findRow(
  { db }: Engine,
  key: ConnectionKey,
  { kind, issuer }: { kind: CredentialKind; issuer?: string },
): Promise<Selectable<McpConnectionsTable> | undefined> {
  let query = db
    .selectFrom('mcp_connections')
    .selectAll()
    .where(isOf(key))
    .where('kind', '=', kind)
    .orderBy('updated_ms', 'desc')
    .orderBy('name')
    .limit(1)
  if (issuer !== undefined) query = query.where('name', '=', toStoredText(issuer))
  return query.executeTakeFirst()
}

async function put(
  transaction: Transaction<Tables>,
  ring: MasterKeyRing,
  { key, entry, now }: { key: ConnectionKey; entry: CredentialEntry; now: number },
): Promise<number | undefined> {
  const { kind, issuer, value, ifVersion, told } = entry
  const { id, ...place } = placeOf(key, { kind, name: issuer })
  const content = { id, ...sealRow(ring, { id, ...place }, value), updated_ms: now }
  const row =
    ifVersion === undefined || ifVersion === 0
      ? await write(transaction, { ...place, ...content }, ifVersion === undefined)
      : await transaction
          .updateTable('mcp_connections')
          .set({ ...content, version: ifVersion + 1, lease_ms: null })
          .where(isOf(key))
          .where('kind', '=', kind)
          .where('name', '=', place.name)
          .where('version', '=', ifVersion)
          .returning('version')
          .executeTakeFirst()
  if (row !== undefined && told !== undefined) {
    await recordEvents(transaction, [{ tenant: place.tenant, ...told }])
  }
  return row?.version
}

type NewRow = Omit<
  Selectable<McpConnectionsTable>,
  'version' | 'created_ms' | 'expires_ms' | 'lease_ms'
>

async function write(
  transaction: Transaction<Tables>,
  row: NewRow,
  mayReplace: boolean,
): Promise<{ version: number } | undefined> {
  return transaction
    .insertInto('mcp_connections')
    .values({ ...row, version: 1, created_ms: row.updated_ms })
    .onConflict((conflict) => {
      const same = conflict.columns(['tenant', 'server', 'subject', 'kind', 'name'])
      if (!mayReplace) return same.doNothing()
      return same.doUpdateSet((eb) => ({
        id: eb.ref('excluded.id'),
        version: eb('mcp_connections.version', '+', 1),
        key_id: eb.ref('excluded.key_id'),
        wrapped_key: eb.ref('excluded.wrapped_key'),
        sealed: eb.ref('excluded.sealed'),
        updated_ms: eb.ref('excluded.updated_ms'),
        lease_ms: null,
      }))
    })
    .returning('version')
    .executeTakeFirst()
}

async function remove(
  transaction: Transaction<Tables>,
  key: ConnectionKey,
  { kind, issuer, told }: Parameters<ConnectionStore['remove']>[1],
): Promise<boolean> {
  let query = transaction.deleteFrom('mcp_connections').where(isOf(key))
  query = kind === undefined ? query : query.where('kind', '=', kind)
  query = issuer === undefined ? query : query.where('name', '=', toStoredText(issuer))
  const rows = await query.returning('kind').execute()
  const isGone = rows.some((row) => row.kind !== 'pending')
  if (isGone && told !== undefined) {
    await recordEvents(transaction, [{ tenant: toStoredText(key.tenant), ...told }])
  }
  return isGone
}

async function list({ db }: Engine, tenant: string, server: string): Promise<ConnectionFacts[]> {
  const rows = await db
    .selectFrom('mcp_connections')
    .select(['subject', 'name', 'created_ms', 'updated_ms'])
    .where('tenant', '=', toStoredText(tenant))
    .where('server', '=', toStoredText(server))
    .where('kind', '=', 'tokens')
    .orderBy('subject')
    .orderBy('name')
    .limit(listAtMost)
    .execute()
  return rows.map((row) => ({
    subject: row.subject,
    issuer: row.name,
    connectedAt: row.created_ms,
    updatedAt: row.updated_ms,
  }))
}

async function sweep({ db, now }: Engine): Promise<number> {
  const over = db
    .selectFrom('mcp_connections')
    .select('id')
    .where('kind', '=', 'pending')
    .where('expires_ms', '<=', now())
    .limit(sweptAtOnce)
  const { numDeletedRows } = await db
    .deleteFrom('mcp_connections')
    .where('id', 'in', over)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
