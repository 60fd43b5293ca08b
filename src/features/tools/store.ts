import { sql, type Transaction } from 'kysely'
import { foundAtMost, type FoundToolStore } from '../../core/kernel/context/tool-finder.ts'
import { changeIn, guarded } from '../../store/engine/change-in.ts'
import type { Engine } from '../../store/engine/engine.ts'
import { keepReads } from '../../store/log/kept-reads.ts'
import { toStoredText } from '../../store/log/stored-text.ts'
import type { Tables } from '../../store/tables.ts'

/** Found tools on whichever engine. */
export function createFoundToolStore(engine: Engine): FoundToolStore {
  const { read, change } = keepReads(engine, (tenant, sessionId) =>
    guarded(async () => {
      const rows = await engine.db
        .selectFrom('found_tools')
        .select('tool')
        .where('tenant', '=', toStoredText(tenant))
        .where('session_id', '=', toStoredText(sessionId))
        .orderBy('found_ms')
        .orderBy('tool')
        .execute()
      return rows.map(({ tool }) => tool)
    }),
  )
  return {
    read,
    async add(tenant, sessionId, tools) {
      if (tools.length === 0) return
      const of = { tenant: toStoredText(tenant), session_id: toStoredText(sessionId) }
      await change(tenant, sessionId, () =>
        changeIn(engine, (transaction) =>
          addIn(transaction, { ...of, found_ms: engine.now() }, tools),
        ),
      )
    },
  }
}

async function addIn(
  transaction: Transaction<Tables>,
  of: { tenant: string; session_id: string; found_ms: number },
  tools: readonly string[],
): Promise<void> {
  // In the order of their names, so that two who find the same do not wait for each other.
  const rows = [...new Set(tools)].sort().map((tool) => ({ ...of, tool: toStoredText(tool) }))
  await transaction
    .insertInto('found_tools')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'session_id', 'tool'])
        .doUpdateSet((set) => ({ found_ms: set.ref('excluded.found_ms') })),
    )
    .execute()
  await sql`delete from found_tools
    where tenant = ${of.tenant} and session_id = ${of.session_id} and tool in (
      select tool from found_tools
      where tenant = ${of.tenant} and session_id = ${of.session_id}
      order by found_ms desc, tool offset ${foundAtMost})`.execute(transaction)
}

/** Removes what was found before that time, a part of it. */
export async function removeFound(
  db: Transaction<Tables>,
  { tenant, beforeMs, limit }: { tenant: string; beforeMs: number; limit: number },
): Promise<number> {
  const { rows } = await sql`delete from found_tools
    where (tenant, session_id, tool) in (
      select tenant, session_id, tool from found_tools
      where tenant = ${tenant} and found_ms < ${Math.trunc(beforeMs)}
      order by found_ms limit ${limit})
    returning tool`.execute(db)
  return rows.length
}
