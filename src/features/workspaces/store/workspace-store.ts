import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { EventFact } from '../../../core/events/event.ts'
import { storeTime } from '../../../core/kernel/ids.ts'
import type { Principal } from '../../../core/kernel/call.ts'
import type { WorkspaceMode } from '../../../core/kernel/context/workspace.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toPage } from '../../../store/engine/page.ts'
import { parsePrincipal, toPrincipalText } from '../../../store/log/principal-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import type { WorkspacesTable } from '../tables.ts'
import type { StoredWorkspace, WorkspaceQuery, WorkspaceStore } from '../workspace-store.ts'

type Row = WorkspacesTable

/** The table of workspaces in the database. A change and its event are written together. */
export function createWorkspaceStore(engine: Engine): WorkspaceStore {
  const live = () => engine.db.selectFrom('workspaces').selectAll().where('removed_ms', 'is', null)
  return {
    hasAny: () =>
      guarded(async () => {
        const row = await engine.db
          .selectFrom('workspaces')
          .select('id')
          .limit(1)
          .executeTakeFirst()
        return row !== undefined
      }),

    listKnown: (ids) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('workspaces')
          .select('id')
          .where('id', '=', anyOf(ids))
          .execute()
        return new Set(rows.map(({ id }) => id))
      }),

    find: (tenant, id) =>
      guarded(async () => {
        const row = await live()
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toStoredText(id))
          .executeTakeFirst()
        return row && toWorkspace(row)
      }),

    findAll: (tenant, ids) =>
      guarded(async () => {
        const rows = await live()
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', anyOf(ids))
          .execute()
        return rows.map(toWorkspace)
      }),

    findOwned: (tenant, ownerKey) =>
      guarded(async () => {
        const row = await live()
          .where('tenant', '=', toStoredText(tenant))
          .where('owner_key', '=', toStoredText(ownerKey))
          .executeTakeFirst()
        return row && toWorkspace(row)
      }),

    list: (tenant, query) => guarded(() => list(engine, tenant, query)),

    listPlace: (place, { after = '', limit }) =>
      guarded(async () => {
        const rows = await live()
          .where('place', '=', toStoredText(place))
          .where('id', '>', toStoredText(after))
          .orderBy('workspaces.id')
          .limit(limit + 1)
          .execute()
        return toPage(rows.map(toWorkspace), limit, ({ id }) => id)
      }),

    ...changes(engine),
    ...removals(engine),
  }
}

async function list(
  engine: Engine,
  tenant: string,
  { sessionId, principal, agent, after, limit }: WorkspaceQuery,
): ReturnType<WorkspaceStore['list']> {
  let query = engine.db
    .selectFrom('workspaces')
    .selectAll()
    .where('removed_ms', 'is', null)
    .where('tenant', '=', toStoredText(tenant))
  if (sessionId !== undefined) query = query.where('session_id', '=', toStoredText(sessionId))
  if (principal !== undefined) query = query.where('principal', '=', toPrincipalText(principal))
  if (agent !== undefined) query = query.where('agent', '=', toStoredText(agent))
  if (after !== undefined) query = query.where('id', '<', toStoredText(after))
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(rows.map(toWorkspace), limit, ({ id }) => id)
}

function anyOf(ids: readonly string[]) {
  return sql<string>`any(${`{${ids.join(',')}}`}::text[])`
}

type Changes = Pick<WorkspaceStore, 'create' | 'userOf' | 'setMode' | 'note'>

function changes(engine: Engine): Changes {
  return {
    create: (workspace) => changeIn(engine, (transaction) => create(transaction, workspace)),

    userOf: (tenant, first) =>
      changeIn(engine, (transaction) => userOf(transaction, tenant, first)),

    setMode: (workspace, by) =>
      changeIn(engine, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('workspaces')
          .set({ mode: workspace.mode })
          .where('tenant', '=', toStoredText(workspace.tenant))
          .where('id', '=', toStoredText(workspace.id))
          .where('removed_ms', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        const data = { workspace: workspace.id, mode: workspace.mode }
        await tell(transaction, workspace, by, { type: 'workspace.changed', data })
        return true
      }),

    note: (tenant, id, { bytes, files }) =>
      guarded(async () => {
        await engine.db
          .updateTable('workspaces')
          .set({ bytes, files, used_ms: storeTime() })
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toStoredText(id))
          .execute()
      }),
  }
}

type Removals = Pick<WorkspaceStore, 'beginRemoval' | 'endRemoval' | 'listRemoved' | 'listUnused'>

function removals(engine: Engine): Removals {
  return {
    beginRemoval: (workspace, by, because) =>
      changeIn(engine, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('workspaces')
          .set({ removed_ms: storeTime() })
          .where('tenant', '=', toStoredText(workspace.tenant))
          .where('id', '=', toStoredText(workspace.id))
          .where('removed_ms', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        const session = workspace.sessionId
        const data = { workspace: workspace.id, ...(session !== undefined && { session }), because }
        await tell(transaction, workspace, by, { type: 'workspace.removed', data })
        return true
      }),

    endRemoval: (tenant, id) =>
      guarded(async () => {
        await engine.db
          .deleteFrom('workspaces')
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toStoredText(id))
          .where('removed_ms', 'is not', null)
          .execute()
      }),

    listRemoved: (place, limit) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('workspaces')
          .selectAll()
          .where('removed_ms', 'is not', null)
          .where('place', '=', place)
          .limit(limit)
          .execute()
        return rows.map(toWorkspace)
      }),

    listUnused: (place, query) => guarded(() => listUnused(engine, place, query)),
  }
}

async function listUnused(
  engine: Engine,
  place: string,
  { usedBeforeMs, createdBeforeMs, limit }: Parameters<WorkspaceStore['listUnused']>[1],
): ReturnType<WorkspaceStore['listUnused']> {
  const isGone = sql<boolean>`(created_ms < ${createdBeforeMs}
          and session_id ~ '^conv_[0-9a-f]{32}$'
          and not exists (select 1 from conversations c
            where c.tenant = workspaces.tenant
              and c.id = case when session_id ~ '^conv_[0-9a-f]{32}$'
                then substr(session_id, 6)::uuid end))`
  const rows = await engine.db
    .selectFrom('workspaces')
    .selectAll()
    .select(sql<boolean>`used_ms >= ${usedBeforeMs}`.as('is_used'))
    .where('removed_ms', 'is', null)
    .where('place', '=', place)
    .where((where) => where.or([where('used_ms', '<', usedBeforeMs), isGone]))
    .limit(limit)
    .execute()
  return rows.map(({ is_used, ...row }) => ({
    ...toWorkspace(row),
    because: is_used ? 'conversation deleted' : 'idle',
  }))
}

/** Two calls at once: the second one takes what the first one has stored. */
async function create(
  transaction: Transaction<Tables>,
  workspace: StoredWorkspace,
): Promise<StoredWorkspace> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('workspaces')
    .values(toRow(workspace))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows > 0n) {
    const { id, sessionId, principal } = workspace
    const data = { workspace: id, ...(sessionId !== undefined && { session: sessionId }) }
    await tell(transaction, workspace, principal, { type: 'workspace.created', data })
    return workspace
  }
  const row = await transaction
    .selectFrom('workspaces')
    .selectAll()
    .where('tenant', '=', toStoredText(workspace.tenant))
    .where('owner_key', '=', toStoredText(workspace.ownerKey))
    .where('removed_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return toWorkspace(row)
}

const counter = 'workspace-user'

/** Counts in a row that outlives workspaces and tenants, so that no id is given twice. */
async function userOf(
  transaction: Transaction<Tables>,
  tenant: string,
  first: number,
): Promise<number> {
  // A second transaction waits here until the first has stored its row.
  await transaction
    .insertInto('store_state')
    .values({ name: counter, value: String(first - 1) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`store_state.value` }),
    )
    .execute()
  const known = await transaction
    .selectFrom('workspaces')
    .select('uid')
    .where('tenant', '=', toStoredText(tenant))
    .where('uid', '>=', first)
    .limit(1)
    .executeTakeFirst()
  if (known?.uid !== undefined && known.uid !== null) return known.uid
  const next = await transaction
    .updateTable('store_state')
    .set({ value: sql<string>`(greatest(value::bigint, ${first - 1}::bigint) + 1)::text` })
    .where('name', '=', counter)
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(next.value)
}

async function tell(
  transaction: Transaction<Tables>,
  ...[{ tenant, sessionId, agent }, principal, event]: [StoredWorkspace, Principal, EventFact]
): Promise<void> {
  const place = {
    tenant,
    ...(sessionId !== undefined && { sessionId }),
    ...(agent !== undefined && { agent }),
  }
  await recordEvents(transaction, [{ ...place, principal, event }])
}

function toWorkspace(row: Row): StoredWorkspace {
  return {
    tenant: row.tenant,
    id: row.id,
    ownerKey: row.owner_key,
    sessionId: row.session_id ?? undefined,
    agent: row.agent ?? undefined,
    principal: parsePrincipal(row.principal),
    uid: row.uid ?? undefined,
    mode: toMode(row.mode),
    place: row.place,
    bytes: row.bytes,
    files: row.files,
    createdMs: row.created_ms,
    usedMs: row.used_ms,
  }
}

/** Something that a later version has written allows nothing. */
function toMode(text: string): WorkspaceMode {
  return text === 'free' || text === 'ask' ? text : 'read-only'
}

function toRow(workspace: StoredWorkspace): Row {
  return {
    tenant: toStoredText(workspace.tenant),
    id: workspace.id,
    owner_key: toStoredText(workspace.ownerKey),
    session_id: toStoredTextOrNull(workspace.sessionId),
    agent: toStoredTextOrNull(workspace.agent),
    principal: toPrincipalText(workspace.principal),
    uid: workspace.uid ?? null,
    mode: workspace.mode,
    place: workspace.place,
    bytes: workspace.bytes,
    files: workspace.files,
    created_ms: workspace.createdMs,
    used_ms: workspace.usedMs,
    removed_ms: null,
  }
}
