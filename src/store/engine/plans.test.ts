import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTempDatabase, createTempFolder } from '../contract/temp-store.ts'
import { scans } from '../log/lists/call-list.ts'
import { findSettled } from '../log/call-log.ts'
import {
  readBetween,
  readByCall,
  readBySession,
  readByTenant,
  findEnd,
} from '../log/events/event-statements.ts'
import { findOverdue, findReleasable, findRunnableHere, listWork } from '../log/call-work.ts'
import { changeCalls } from '../log/writing/write-statements.ts'
import { openEngine } from '../open-store.ts'
import type { Engine, Statement } from './engine.ts'
import { ensurePrebuiltFolder } from './pglite/prebuilt-folder.ts'

const feed = {
  types: 'text, int, xid8, uuid, int, bigint, text[], bigint',
  values: `'t', 0, '0', '${'0'.repeat(32)}', 0, 10, null, 1000`,
}
const cases: {
  statement: Statement
  types: string
  values: string
  walks: string[]
  sorts?: string[]
  whole?: number
}[] = [
  {
    statement: readByTenant,
    types: `${feed.types}, int, xid8`,
    values: `${feed.values}, 0, null`,
    walks: ['events_by_tenant'],
  },
  {
    statement: readBetween,
    types: `${feed.types}, int, xid8, uuid, int`,
    values: `${feed.values}, 0, '9', '${'f'.repeat(32)}', 1`,
    walks: ['events_by_tenant'],
  },
  {
    statement: readBySession,
    types: `${feed.types}, int, xid8, text`,
    values: `${feed.values}, 0, null, 's'`,
    walks: ['events_by_session'],
  },
  {
    statement: readByCall,
    types: `${feed.types}, uuid, int, text`,
    values: `${feed.values}, '${'0'.repeat(32)}', 0, null`,
    walks: ['events_pkey'],
  },
  {
    statement: findEnd,
    types: 'text, int, xid8, bigint',
    values: `'t', 0, null, 0`,
    walks: ['events_by_tenant'],
  },
  {
    statement: findSettled,
    types: 'text[], uuid[], bigint',
    values: `'{t}', '{${'0'.repeat(32)}}', 10`,
    walks: ['calls_pkey'],
  },
  {
    statement: findRunnableHere,
    types: 'text, uuid[], text',
    values: `'["t"]', '{${'0'.repeat(32)}}', 'n'`,
    walks: ['calls_pkey'],
  },
  {
    statement: listWork,
    types: 'uuid, bigint',
    values: `'${'0'.repeat(32)}', 500`,
    walks: ['calls_with_work'],
  },
  {
    statement: findReleasable,
    types: 'bigint',
    values: '10',
    walks: ['calls_waiting_for_calls', 'calls_by_parent'],
    // All of that small index is to be looked at.
    whole: 1,
  },
  {
    statement: findOverdue,
    types: 'bigint, bigint',
    values: '1, 10',
    walks: ['calls_by_deadline'],
  },
  {
    statement: scans.key,
    types: 'text, uuid, bigint, text, text, text, text, text, uuid, uuid, uuid, text',
    values: `'t', '${'f'.repeat(32)}', 10, null, null, null, null, null, null, null, null, 'k'`,
    walks: ['calls_by_key', 'calls_pkey'],
  },
  {
    statement: changeCalls,
    types: 'call_change[], text, bigint',
    values: `'{}', 'n', 1`,
    walks: ['calls_pkey', 'calls_pkey', 'groups_pkey'],
    sorts: ['Sort Key: unnest.tenant, unnest.id', 'Sort Key: u_2.tenant COLLATE "C", u_2.group_id'],
  },
]

/** The plan that a prepared statement keeps, made while the tables are empty. */
async function explain(
  engine: Engine,
  { statement, types, values }: (typeof cases)[number],
): Promise<string> {
  return engine.db.connection().execute(async (db) => {
    await sql.raw(`set plan_cache_mode = force_generic_plan`).execute(db)
    await sql.raw(`prepare explained (${types}) as ${statement.text}`).execute(db)
    const { rows } = await sql
      .raw<Record<string, string>>(`explain execute explained (${values})`)
      .execute(db)
    await sql.raw(`deallocate explained`).execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

describe.each(['pglite', 'postgres'] as const)('plans on %s', (kind) => {
  let engine: Engine
  let clear: () => Promise<void>
  beforeAll(async () => {
    if (kind === 'pglite') {
      await ensurePrebuiltFolder()
      const folder = await createTempFolder()
      clear = folder.remove
      engine = await openEngine({ kind, dataDir: folder.path }, () => {})
    } else {
      const database = await createTempDatabase()
      clear = database.drop
      engine = await openEngine({ kind, url: database.url, poolSize: 1 }, () => {})
    }
  })
  afterAll(async () => {
    await engine.close()
    await clear()
  })

  test.each(cases)('$statement.name finds its rows by index, and sorts no table', async (entry) => {
    const plan = await explain(engine, entry)
    const scans = [...plan.matchAll(/Index Scan(?: Backward)? using (\w+)/g)].map(
      ([, index]) => index,
    )
    expect(scans).toEqual(entry.walks)
    expect(plan).not.toContain('Seq Scan')
    // The rows that were sent are put in order; stored ones are in order already.
    expect(plan.match(/Sort Key: .*/g) ?? []).toEqual(entry.sorts ?? [])
    const conditions = [...plan.matchAll(/Index Cond: (.*)/g)]
    expect(conditions).toHaveLength(entry.walks.length - (entry.whole ?? 0))
  })
})
