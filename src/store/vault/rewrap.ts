import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, Selectable } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { toCallId } from '../log/call-id.ts'
import { connectionBinding } from '../../features/mcp-servers/store/connection-rows.ts'
import type { McpConnectionsTable } from '../../features/mcp-servers/tables.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { createInputSeal } from '../sealing/sealed-input.ts'
import { toJsonText } from '../log/stored-text.ts'
import type { MasterKeyRing } from '../master-key.ts'
import type { SecretsTable, Tables } from '../tables.ts'
import { rewrapKey } from '../sealing/envelope.ts'
import { findKey } from '../sealing/key-checks.ts'

/**
 * How much is sealed under each key: secrets by key id, credentials for MCP servers among them, and
 * inputs of calls that have not ended.
 */
export interface SealedCounts {
  secrets: ReadonlyMap<string, number>
  inputs: ReadonlyMap<string, number>
}

/** One statement's worth. */
const batch = 100

/** Counts what is sealed, by key. */
export async function countSealed(db: Kysely<Tables>): Promise<SealedCounts> {
  const { rows: secrets } = await sql<{ id: string; count: number }>`
    select key_id as id, count(*)::int as count
    from (select key_id from secrets union all select key_id from mcp_connections) sealed
    group by key_id`.execute(db)
  const all = sealedColumns.map(
    ({ table, column, isOpen }) => sql`select ${keyIn(column)} as id from ${sql.table(table)}
      where ${isOpen} and ${holdsInput(column)}`,
  )
  const { rows: inputs } = await sql<{ id: string; count: number }>`
    select id, count(*)::int as count from (${sql.join(all, sql` union all `)}) sealed
    group by id`.execute(db)
  const toMap = (rows: readonly { id: string; count: number }[]) =>
    new Map(rows.map(({ id, count }) => [id, count]))
  return { secrets: toMap(secrets), inputs: toMap(inputs) }
}

interface SealedColumn {
  table: 'calls' | 'schedules' | 'schedule_runs' | 'turns'
  /** Holds JSON with `sealedInput` in it. */
  column: 'facts' | 'spec' | 'request' | 'waiting'
  /** The column with what it is bound to, and how that is written. */
  boundTo: 'id' | 'schedule_id'
  toId(uuid: string): string
  /** Settled calls never run again, and nobody reads their sealed inputs. */
  isOpen: RawBuilder<unknown>
}

const always = sql`true`
const toScheduleId = (uuid: string) => `sch_${uuid.replaceAll('-', '')}`

const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'calls',
    column: 'facts',
    boundTo: 'id',
    toId: toCallId,
    isOpen: sql`settled_ms is null`,
  },
  { table: 'schedules', column: 'spec', boundTo: 'id', toId: toScheduleId, isOpen: always },
  {
    table: 'schedule_runs',
    column: 'request',
    boundTo: 'schedule_id',
    toId: toScheduleId,
    isOpen: sql`finished_ms is null`,
  },
  {
    table: 'turns',
    column: 'waiting',
    boundTo: 'id',
    toId: (uuid) => `turn_${uuid.replaceAll('-', '')}`,
    isOpen: sql`settled_ms is null`,
  },
]

const keyIn = (column: string) =>
  sql`split_part(substring(${sql.ref(column)} from '"sealedInput":"([^"]*)"'), ' ', 1)`
const holdsInput = (column: string) => sql`strpos(${sql.ref(column)}, '"sealedInput":"') > 0`

/**
 * Rewraps the keys of a number of secrets without opening their contents. A secret that is written
 * at the same time has the new key already, one that another node moved is left alone, and one that
 * does not open is skipped so that it does not hold up the others.
 */
export async function rewrapSecrets(
  engine: Engine,
  ring: MasterKeyRing,
  limit: number,
): Promise<number> {
  const secrets = await rewrapTable<Selectable<SecretsTable>>(engine, ring, {
    table: 'secrets',
    toBinding: bindingOf,
    limit,
  })
  const rest = limit - secrets
  if (rest <= 0) return secrets
  const connections = await rewrapTable<Selectable<McpConnectionsTable>>(engine, ring, {
    table: 'mcp_connections',
    toBinding: connectionBinding,
    limit: rest,
  })
  return secrets + connections
}

interface SealedRow {
  id: string
  key_id: string
  wrapped_key: Uint8Array
}

interface SealedRows<Row extends SealedRow> {
  table: 'secrets' | 'mcp_connections'
  /** The binding of its rows. */
  toBinding(row: Row): readonly string[]
  limit: number
}

async function rewrapTable<Row extends SealedRow>(
  engine: Engine,
  ring: MasterKeyRing,
  { limit, ...of }: SealedRows<Row>,
): Promise<number> {
  let moved = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (let left = limit; left > 0; left -= batch) {
    const { rows } = await sql<Row>`select * from ${sql.table(of.table)}
      where key_id in (${sql.join(['', ...olderKeys(ring)])}) and id > ${after}
      order by id limit ${Math.min(batch, left)}`.execute(engine.db)
    const last = rows.at(-1)
    if (last === undefined) return moved
    after = last.id
    moved += await replaceKeys(engine, ring, { ...of, rows })
    // Embedded, all share one thread: others get their turn between two batches.
    await setImmediate()
  }
  return moved
}

/** One statement, and none for rows that were written or moved in the meantime. */
async function replaceKeys<Row extends SealedRow>(
  engine: Engine,
  ring: MasterKeyRing,
  { table, toBinding, rows }: Omit<SealedRows<Row>, 'limit'> & { rows: readonly Row[] },
): Promise<number> {
  const to = findKey(ring, ring.activeId)
  const wrapped = rows.flatMap((row) => {
    const keys = { from: findKey(ring, row.key_id), to }
    const key = orNothing(() => rewrapKey(keys, row.wrapped_key, toBinding(row)))
    return key === undefined ? [] : [{ ...row, key: Buffer.from(key).toString('hex') }]
  })
  if (wrapped.length === 0) return 0
  const list = (values: readonly string[]) => `{${values.map((one) => `"${one}"`).join(',')}}`
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} s set key_id = ${ring.activeId}, wrapped_key = decode(v.key, 'hex')
    from unnest(${list(wrapped.map(({ id }) => id))}::uuid[],
      ${list(wrapped.map(({ key_id }) => key_id))}::text[],
      ${list(wrapped.map(({ key }) => key))}::text[]) v(id, key_id, key)
    where s.id = v.id and s.key_id = v.key_id`.execute(engine.db)
  engine.noteWrites(wrapped.length)
  return Number(numAffectedRows)
}

interface SealedText {
  tenant: string
  id: string
  bound: string
  text: string
}

/**
 * Seals a number of inputs of open work again. One that was changed in the meantime is left for the
 * next round.
 */
export async function resealInputs(
  engine: Engine,
  ring: MasterKeyRing,
  limit: number,
): Promise<number> {
  const older = JSON.stringify(olderKeys(ring))
  let moved = 0
  for (const place of sealedColumns) {
    const { table, column, boundTo, isOpen } = place
    const { rows } = await sql<SealedText>`
      select tenant, id::text, ${sql.ref(boundTo)}::text as bound, ${sql.ref(column)} as text
      from ${sql.table(table)}
      where ${isOpen} and ${holdsInput(column)} and jsonb_exists(${older}::jsonb, ${keyIn(column)})
      order by tenant, id limit ${limit - moved}`.execute(engine.db)
    for (const row of rows)
      moved += await resealInput(engine.db, createInputSeal(ring), { place, row })
    if (moved >= limit) return moved
  }
  return moved
}

async function resealInput(
  db: Kysely<Tables>,
  inputs: InputSeal,
  { place, row }: { place: SealedColumn; row: SealedText },
): Promise<number> {
  const before = JSON.parse(row.text) as { sealedInput: string }
  const id = place.toId(row.bound)
  const input = orNothing(() => inputs.open(before.sealedInput, id))
  if (input === undefined) return 0
  const after = toJsonText({ ...before, sealedInput: inputs.seal(id, input) })
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${after}
    where tenant = ${row.tenant} and id = ${row.id}::uuid
      and ${sql.ref(place.column)} = ${row.text}`.execute(db)
  return Number(numAffectedRows)
}

function olderKeys({ keys, activeId }: MasterKeyRing): string[] {
  return [...keys.keys()].filter((id) => id !== activeId)
}

function orNothing<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}

/** The binding of a secret, which opens in no other row. */
export function bindingOf({
  tenant,
  agent,
  name,
  id,
}: Pick<Selectable<SecretsTable>, 'tenant' | 'agent' | 'name' | 'id'>): readonly string[] {
  const scope = agent === '' ? 'tenant' : `agent:${agent}`
  return [tenant, scope, name, id.replaceAll('-', '')]
}
