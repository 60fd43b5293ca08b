import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { CatalogueRecord, CatalogueStore } from '../../core/rules/catalogue.ts'
import { changeIn, guarded } from '../../store/engine/change-in.ts'
import type { Engine } from '../../store/engine/engine.ts'
import { toStoredText } from '../../store/log/stored-text.ts'
import type { CatalogueTable } from './tables.ts'
import { toPageLimit } from '../../store/engine/page.ts'

const maxPage = 1000

/** The catalogue on whichever engine. */
export function createCatalogueStore(engine: Engine): CatalogueStore {
  return {
    list: ({ state, after = '', limit }) =>
      guarded(async () => {
        const most = toPageLimit(limit, maxPage)
        const rows = await engine.db
          .selectFrom('catalogue')
          .selectAll()
          .where('name', '>', toStoredText(after))
          .$if(state === 'present', (query) => query.where('gone_ms', 'is', null))
          .$if(state === 'gone', (query) => query.where('gone_ms', 'is not', null))
          .orderBy('name')
          .limit(most + 1)
          .execute()
        const items = rows.slice(0, most).map(toRecord)
        return rows.length > most ? { items, next: items.at(-1)?.name } : { items }
      }),
    async write({ present, gone, forgotten, at }) {
      if (present.length + gone.length + forgotten.length === 0) return
      await changeIn(engine, async (transaction) => {
        // Nodes that start together write the same rows; in one order they do not wait for each other in a circle.
        const seen = present.toSorted((one, other) => (one.name < other.name ? -1 : 1))
        await sql`insert into catalogue (name, title, first_seen_ms)
          select name, title, ${at}::bigint
          from json_to_recordset(${JSON.stringify(seen)}::json) as seen(name text, title text)
          on conflict (name) do update set title = excluded.title, gone_ms = null`.execute(
          transaction,
        )
        await transaction
          .updateTable('catalogue')
          .set({ gone_ms: at })
          .where('name', 'in', ['', ...gone])
          .where('gone_ms', 'is', null)
          .execute()
        await transaction
          .deleteFrom('catalogue')
          .where('name', 'in', ['', ...forgotten])
          .execute()
      })
    },
  }
}

function toRecord(row: Selectable<CatalogueTable>): CatalogueRecord {
  const { name, title, first_seen_ms: firstSeenMs, gone_ms: goneMs } = row
  return { name, title, firstSeenMs, ...(goneMs !== null && { goneMs }) }
}
