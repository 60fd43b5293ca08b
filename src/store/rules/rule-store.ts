import { storeTime } from '../../core/kernel/ids.ts'
import { newEvent } from '../../core/events/new-event.ts'
import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { Principal } from '../../core/kernel/call.ts'
import type { EventEntry } from '../../core/events/event.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { ListQuery } from '../../core/kernel/page.ts'
import type { Rule, RuleDraft, RuleKind, RuleStore } from '../../core/rules/rule-store.ts'
import { wordsOfRule } from '../../core/rules/rule-words.ts'
import { fitsWords, toWords } from '../../core/search/fits-words.ts'
import { changeIn, guarded } from '../engine/change-in.ts'
import type { Engine } from '../engine/engine.ts'
import { parsePrincipal, toPrincipalText } from '../log/principal-text.ts'
import { toStoredText } from '../log/stored-text.ts'
import { recordEvents } from '../log/record-events.ts'
import type { Tables } from '../tables.ts'
import { createChangeReader } from './rule-changes.ts'
import type { RulesTable } from '../tables/rules-tables.ts'
import { toPageLimit } from '../engine/page.ts'

const maxPage = 1000
const searchedAtOnce = 200
/** Documents contain it as it was typed, so the database can skip those without it. */
const plainWord = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Rules on whichever engine. */
export function createRuleStore(engine: Engine): RuleStore {
  return {
    read: (tenant, kinds) =>
      guarded(async () => {
        const rows = await select(engine.db, tenant)
          .where('kind', 'in', ['', ...kinds])
          .orderBy('kind')
          .orderBy('name')
          .execute()
        return rows.map(toRule)
      }),
    readUnder: (tenant, kind, prefix) =>
      guarded(async () => {
        const rows = await select(engine.db, tenant)
          .where('kind', '=', kind)
          .where(isUnder(prefix))
          .orderBy('name')
          .execute()
        return rows.map(toRule)
      }),
    marksUnder: (tenant, kind, prefix) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('rules')
          // Which transaction wrote it.
          .select(['name', sql<string>`xmin::text`.as('mark')])
          .where('tenant', '=', toStoredText(tenant))
          .where('kind', '=', kind)
          .where(isUnder(prefix))
          .execute()
        return new Map(rows.map(({ name, mark }) => [name, mark]))
      }),
    page: (tenant, kind, query) => guarded(() => page(engine, { tenant, kind, ...query })),
    find: (tenant, kind, name) => guarded(() => find(engine.db, { tenant, kind, name })),
    async change(tenant, by, work) {
      const result = await changeIn(engine, (transaction) =>
        changeRules(transaction, { tenant, by, work }),
      )
      engine.announce('rules')
      return result
    },
    changes: createChangeReader(engine),
    watch: (listener) => engine.watch(listener, 'rules'),
  }
}

function isUnder(prefix: string) {
  return sql<boolean>`starts_with(name, ${toStoredText(prefix)})`
}

type Reader = Pick<Engine['db'], 'selectFrom'>

function select(db: Reader, tenant: string) {
  return db.selectFrom('rules').selectAll().where('tenant', '=', toStoredText(tenant))
}

async function page(engine: Engine, query: { tenant: string; kind: RuleKind } & ListQuery) {
  const limit = toPageLimit(query.limit, maxPage)
  const found: Rule[] = []
  // The database matches the words anywhere in a document, also where they do not count: read on
  // until the page is full.
  const batch = Math.max(limit + 1, toWords(query.q).length > 0 ? searchedAtOnce : 0)
  for (let after = query.after ?? ''; ;) {
    const rows = await selectPage(engine.db, { ...query, after, limit: batch })
    found.push(...rows.map(toRule).filter((rule) => fitsWords(query.q, wordsOfRule(rule))))
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch || found.length > limit) break
    after = last.name
  }
  const items = found.slice(0, limit)
  return found.length > limit ? { items, next: items.at(-1)?.name } : { items }
}

function selectPage(db: Reader, query: { tenant: string; kind: RuleKind } & ListQuery) {
  const plain = toWords(query.q).filter((word) => plainWord.test(word))
  return select(db, query.tenant)
    .where('kind', '=', query.kind)
    .where('name', '>', toStoredText(query.after ?? ''))
    .where((eb) =>
      eb.and(
        // By bytes, not by the language of the database: its letters are not everybody's.
        plain.map((word) => sql<boolean>`strpos(lower((name || body) collate "C"), ${word}) > 0`),
      ),
    )
    .orderBy('name')
    .limit(query.limit)
    .execute()
}

async function find(
  db: Reader,
  { tenant, kind, name }: { tenant: string; kind: RuleKind; name: string },
): Promise<Rule | undefined> {
  const row = await select(db, tenant)
    .where('kind', '=', kind)
    .where('name', '=', toStoredText(name))
    .executeTakeFirst()
  return row && toRule(row)
}

interface Change<T> {
  tenant: string
  by: Principal
  work(draft: RuleDraft): Promise<T>
}

/** One change of a tenant's rules in a transaction that is open. Announce `rules` after it. */
export async function changeRules<T>(
  transaction: Transaction<Tables>,
  { tenant, by, work }: Change<T>,
): Promise<T> {
  // Two changes of one tenant take turns, so that each sees what the other left.
  await sql`select pg_advisory_xact_lock(hashtext('toolcrib rules of ' || ${toStoredText(tenant)}))`.execute(
    transaction,
  )
  const told: EventEntry[] = []
  const result = await work(createDraft(transaction, { tenant, by, told }))
  await recordEvents(
    transaction,
    told.map((one) => ({ tenant, ...one })),
  )
  return result
}

function createDraft(
  transaction: Transaction<Tables>,
  { tenant, by, told }: { tenant: string; by: Principal; told: EventEntry[] },
): RuleDraft {
  return {
    find: (kind, name) => find(transaction, { tenant, kind, name }),
    async list(kind) {
      const rows = await select(transaction, tenant)
        .where('kind', '=', kind)
        .orderBy('name')
        .execute()
      return rows.map(toRule)
    },
    put: (kind, name, rule) => put(transaction, { tenant, by, kind, name, ...rule }),
    async putNew(kind, bodies) {
      if (bodies.size === 0) return
      await transaction
        .insertInto('rules')
        .values([...bodies].map(([name, body]) => toRow({ tenant, by, kind, name, body })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async delete(kind, name) {
      const { numDeletedRows } = await transaction
        .deleteFrom('rules')
        .where('tenant', '=', toStoredText(tenant))
        .where('kind', '=', kind)
        .where('name', '=', toStoredText(name))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async deleteUnder(kind, prefix) {
      await transaction
        .deleteFrom('rules')
        .where('tenant', '=', toStoredText(tenant))
        .where('kind', '=', kind)
        .where(isUnder(prefix))
        .execute()
    },
    tell: (type, data) =>
      void told.push({ principal: by, event: newEvent(type, data, storeTime()) }),
  }
}

interface PutRule {
  tenant: string
  by: Principal
  kind: RuleKind
  name: string
  body: JsonValue
  isDeclared?: boolean
}

async function put(transaction: Transaction<Tables>, rule: PutRule): Promise<Rule> {
  const { tenant, kind, name, version, ...written } = toRow(rule)
  const row = await transaction
    .insertInto('rules')
    .values({ tenant, kind, name, version, ...written })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'kind', 'name'])
        .doUpdateSet({ ...written, version: sql<number>`rules.version + 1` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRule(row)
}

/** As a new one. */
function toRow({ tenant, by, kind, name, body, isDeclared = false }: PutRule) {
  return {
    tenant: toStoredText(tenant),
    kind,
    name: toStoredText(name),
    version: 1,
    body: JSON.stringify(body),
    is_declared: isDeclared,
    updated_ms: storeTime(),
    updated_by: toPrincipalText(by),
  }
}

function toRule(row: Selectable<RulesTable>): Rule {
  return {
    tenant: row.tenant,
    kind: row.kind as RuleKind,
    name: row.name,
    body: parseBody(row.body),
    isDeclared: row.is_declared,
    version: row.version,
    updatedAt: new Date(row.updated_ms).toISOString(),
    updatedBy: parsePrincipal(row.updated_by),
  }
}

/**
 * A document overwritten by other means that is not JSON any more reaches its reader as text: it
 * matches nothing and denies.
 */
function parseBody(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
