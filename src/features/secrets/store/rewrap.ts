import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import type { Engine } from '../../../store/engine/engine.ts'
import type {
  SealedColumn,
  SealedRow,
  SealedRows,
  SealedTable,
} from '../../../store/sealing/sealed-rows.ts'
import type { InputSeal } from '../../../core/secrets/input-seal.ts'
import { createInputSeal } from '../../../store/sealing/sealed-input.ts'
import { toJsonText } from '../../../store/log/stored-text.ts'
import type { MasterKeyRing } from '../../../store/master-key.ts'
import type { Tables } from '../../../store/tables.ts'
import { rewrapKey } from '../../../store/sealing/envelope.ts'
import { findKey } from '../../../store/sealing/key-checks.ts'

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
export async function countSealed(
  db: Kysely<Tables>,
  { tables, inputs }: SealedRows,
): Promise<SealedCounts> {
  const count = async (ids: readonly RawBuilder<unknown>[]) => {
    const { rows } = await sql<{ id: string; count: number }>`
      select id, count(*)::int as count from (${sql.join(ids, sql` union all `)}) sealed
      group by id`.execute(db)
    return new Map(rows.map((row) => [row.id, row.count]))
  }
  return {
    secrets: await count(
      tables.map(({ table }) => sql`select key_id as id from ${sql.table(table)}`),
    ),
    inputs: await count(
      inputs.map(
        ({ table, column, isOpen }) => sql`select ${keyIn(column)} as id from ${sql.table(table)}
          where ${isOpen} and ${holdsInput(column)}`,
      ),
    ),
  }
}

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
  { tables, limit }: Pick<SealedRows, 'tables'> & { limit: number },
): Promise<number> {
  let moved = 0
  for (const table of tables) {
    moved += await rewrapTable(engine, ring, { ...table, limit: limit - moved })
  }
  return moved
}

async function rewrapTable(
  engine: Engine,
  ring: MasterKeyRing,
  { limit, ...of }: SealedTable & { limit: number },
): Promise<number> {
  let moved = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (let left = limit; left > 0; left -= batch) {
    const { rows } = await sql<SealedRow>`select * from ${sql.table(of.table)}
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
async function replaceKeys(
  engine: Engine,
  ring: MasterKeyRing,
  { table, toBinding, rows }: SealedTable & { rows: readonly SealedRow[] },
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
  { inputs, limit }: Pick<SealedRows, 'inputs'> & { limit: number },
): Promise<number> {
  const older = JSON.stringify(olderKeys(ring))
  let moved = 0
  for (const place of inputs) {
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
