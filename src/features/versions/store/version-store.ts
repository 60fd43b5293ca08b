import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { Principal } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { storeTime } from '../../../core/kernel/ids.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toPage } from '../../../store/engine/page.ts'
import { parsePrincipal, toPrincipalText } from '../../../store/log/principal-text.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { changeRules } from '../../../store/rules/rule-store.ts'
import type { Tables } from '../../../store/tables.ts'
import type { VersionsTable } from '../tables.ts'
import { toVersionHash } from '../to-version-hash.ts'
import type { Version, VersionDraft, VersionKey, VersionStore } from '../version-store.ts'

/** Versions of documents on whichever engine. */
export function createVersionStore(engine: Engine): VersionStore {
  return {
    async change(tenant, by, work) {
      const result = await changeIn(engine, (transaction) =>
        changeRules(transaction, {
          tenant,
          by,
          work: (draft) => work({ ...draft, ...versionsOf(transaction, { tenant, by }) }),
        }),
      )
      engine.announce('rules')
      return result
    },
    list: (tenant, of, { after, limit }) =>
      guarded(async () => {
        let query = selectNamed(engine.db, { tenant, ...of })
        if (after !== undefined) query = query.where('number', '<', after)
        const rows = await query
          .orderBy('number', 'desc')
          .limit(limit + 1)
          .execute()
        return toPage(rows.map(toVersion), limit, ({ number }) => String(number))
      }),
    find: (tenant, kind, key) =>
      guarded(async () => {
        const row = await find(engine.db, { tenant, kind, ...key })
        return row && { ...toVersion(row), body: parseBody(row.body) }
      }),
    readBodies: (tenant, kind, keys) => guarded(() => readBodies(engine, { tenant, kind, keys })),
  }
}

type Reader = Pick<Engine['db'], 'selectFrom'>

interface Named {
  tenant: string
  kind: string
  name: string
}

function versionsOf(
  transaction: Transaction<Tables>,
  { tenant, by }: { tenant: string; by: Principal },
): Pick<VersionDraft, 'keepVersion' | 'findVersion' | 'dropVersions'> {
  return {
    async keepVersion(kind, name, { body, note }) {
      const hash = toVersionHash(body)
      const known = await find(transaction, { tenant, kind, name, hash })
      if (known !== undefined) return toKept(known, body)
      const row = await transaction
        .insertInto('versions')
        .values({
          tenant: toStoredText(tenant),
          kind,
          name: toStoredText(name),
          hash,
          number: await nextNumber(transaction, { tenant, kind, name }),
          body: JSON.stringify(body),
          note: toStoredTextOrNull(note),
          created_ms: storeTime(),
          created_by: toPrincipalText(by),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toVersion(row)
    },
    async findVersion(kind, key) {
      const row = await find(transaction, { tenant, kind, ...key })
      return row && toVersion(row)
    },
    async dropVersions(kind, name, keep) {
      const next = await nextNumber(transaction, { tenant, kind, name })
      await transaction
        .deleteFrom('versions')
        .where('tenant', '=', toStoredText(tenant))
        .where('kind', '=', kind)
        .where('name', '=', toStoredText(name))
        .where('number', '<', next - keep)
        .execute()
    },
  }
}

/** Changes of one tenant take turns, so no other can take the number. */
async function nextNumber(transaction: Transaction<Tables>, named: Named): Promise<number> {
  const row = await selectNamed(transaction, named)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.number ?? 0) + 1
}

/** Somebody may look for another document with the same hash: one approved, one published. */
function toKept(row: Selectable<VersionsTable>, body: JsonValue): Version {
  if (canonicalJson(parseBody(row.body)) === canonicalJson(body)) return toVersion(row)
  throw new ToolError('conflict', `Version ${row.hash} of ${row.name} has other content`, {
    fix: 'Change the document in any way, such as its description.',
  })
}

function selectNamed(db: Reader, { tenant, kind, name }: Named) {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('kind', '=', kind)
    .where('name', '=', toStoredText(name))
}

function find(db: Reader, { hash, ...named }: Named & { hash: string }) {
  return selectNamed(db, named).where('hash', '=', toStoredText(hash)).executeTakeFirst()
}

interface Wanted {
  tenant: string
  kind: string
  keys: readonly VersionKey[]
}

/**
 * In one statement, whose text does not depend on how many there are. The limit is for the planner,
 * which would else compare every version with every wanted one.
 */
async function readBodies(
  engine: Engine,
  { tenant, kind, keys }: Wanted,
): Promise<Map<string, JsonValue>> {
  if (keys.length === 0) return new Map()
  const wanted = JSON.stringify(
    keys.map(({ name, hash }) => ({ name: toStoredText(name), hash: toStoredText(hash) })),
  )
  const { rows } = await sql<{ name: string; body: string }>`
    select v.name, v.body from json_to_recordset(${wanted}::json) as w(name text, hash text)
    cross join lateral (select * from versions
      where tenant = ${toStoredText(tenant)} and kind = ${kind}
        and name = w.name and hash = w.hash limit 1) v`.execute(engine.db)
  return new Map(rows.map(({ name, body }) => [name, parseBody(body)]))
}

function toVersion(row: Selectable<VersionsTable>): Version {
  return {
    name: row.name,
    hash: row.hash,
    number: row.number,
    note: row.note ?? undefined,
    createdAt: new Date(row.created_ms).toISOString(),
    createdBy: parsePrincipal(row.created_by),
  }
}

/** Text that is not JSON any more reaches its reader as text, which is not a document. */
function parseBody(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
