import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely, Selectable } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { toCallId } from '../log/call-id.ts'
import { connectionBinding } from '../connections/connection-rows.ts'
import type { McpConnectionsTable } from '../connections/connection-tables.ts'
import { createInputSeal, type InputSeal } from '../log/sealed-input.ts'
import { toJsonText } from '../log/stored-text.ts'
import type { MasterKeyRing } from '../master-key.ts'
import type { SecretsTable, Tables } from '../tables.ts'
import { rewrapKey } from './envelope.ts'
import { findKey } from './key-checks.ts'

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
  const { rows: inputs } = await sql<{ id: string; count: number }>`
    select ${inputKey} as id, count(*)::int as count
    from calls where ${hasSealedInput} group by 1`.execute(db)
  const toMap = (rows: readonly { id: string; count: number }[]) =>
    new Map(rows.map(({ id, count }) => [id, count]))
  return { secrets: toMap(secrets), inputs: toMap(inputs) }
}

/** Calls that have ended never run again: what they keep sealed is read by nobody. */
const inputKey = sql`split_part(substring(facts from '"sealedInput":"([^"]*)"'), ' ', 1)`
const hasSealedInput = sql`settled_ms is null and strpos(facts, '"sealedInput":"') > 0`

/**
 * Wraps the keys of so many secrets anew; their contents are never opened. A secret that is written
 * meanwhile has the new key already, one that another node moved is left alone, and one that does
 * not open is passed over: it must not hold up the others.
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
  /** What its rows are bound to. */
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

/** One statement, and none for rows that were written or moved meanwhile. */
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

interface SealedCall {
  tenant: string
  id: string
  facts: string
}

/** Seals so many inputs of waiting calls anew. One that was decided on meanwhile is left for the next look. */
export async function resealInputs(
  engine: Engine,
  ring: MasterKeyRing,
  limit: number,
): Promise<number> {
  const older = JSON.stringify(olderKeys(ring))
  const { rows } = await sql<SealedCall>`select tenant, id::text, facts from calls
    where ${hasSealedInput} and jsonb_exists(${older}::jsonb, ${inputKey})
    order by tenant, id limit ${limit}`.execute(engine.db)
  let moved = 0
  for (const row of rows) moved += await resealInput(engine.db, createInputSeal(ring), row)
  return moved
}

async function resealInput(
  db: Kysely<Tables>,
  inputs: InputSeal,
  { tenant, id, facts: before }: SealedCall,
): Promise<number> {
  const facts = JSON.parse(before) as { sealedInput: string }
  const callId = toCallId(id)
  const input = orNothing(() => inputs.open(facts.sealedInput, callId))
  if (input === undefined) return 0
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ facts: toJsonText({ ...facts, sealedInput: inputs.seal(callId, input) }) })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('facts', '=', before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
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

/** What a secret is bound to: it opens in no other row. */
export function bindingOf({
  tenant,
  agent,
  name,
  id,
}: Pick<Selectable<SecretsTable>, 'tenant' | 'agent' | 'name' | 'id'>): readonly string[] {
  const scope = agent === '' ? 'tenant' : `agent:${agent}`
  return [tenant, scope, name, id.replaceAll('-', '')]
}
