import { sql } from 'kysely'
import type { RuleStore } from '../../core/rules/rule-store.ts'
import { guarded } from '../engine/change-in.ts'
import type { Engine } from '../engine/engine.ts'

/**
 * Reads which tenants have changed. The mark is the oldest transaction that was running: one that
 * commits later has this number or a higher one, so nothing is missed between two looks. Changes
 * reported again because an old transaction holds the mark back are skipped by their number.
 */
export function createChangeReader(engine: Engine): RuleStore['changes'] {
  const told = new Map<string, string>()
  return (mark) =>
    guarded(async () => {
      const { rows } = await sql<{ now: string; changed: string }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as now,
          coalesce((select json_agg(json_build_array(tenant, xid::text)) from tenant_changes
            where xid >= ${mark ?? '0'}::xid8 and ${mark !== undefined}), '[]')::text as changed`.execute(
        engine.db,
      )
      const [{ now, changed } = { now: mark ?? '0', changed: '[]' }] = rows
      const fresh = (JSON.parse(changed) as [string, string][]).filter(
        ([tenant, xid]) => told.get(tenant) !== xid,
      )
      for (const [tenant, xid] of fresh) told.set(tenant, xid)
      return { mark: now, tenants: fresh.map(([tenant]) => tenant) }
    })
}
