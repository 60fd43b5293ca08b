import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Tables } from '../../../store/tables.ts'

/**
 * Removes flags raised before that time, of sessions and chains without a single call left. An
 * active one keeps its flags, however old.
 */
export async function removeFlags(
  db: Transaction<Tables>,
  { tenant, beforeMs, limit }: { tenant: string; beforeMs: number; limit: number },
): Promise<number> {
  const { rows } = await sql`delete from session_flags
    where (tenant, session_key, kind) in (
      select flag.tenant, flag.session_key, flag.kind from session_flags flag
      where flag.tenant = ${tenant} and flag.raised_ms < ${Math.trunc(beforeMs)}
        and not exists (select from calls where calls.tenant = flag.tenant
          and flag.session_key like 'session:%'
          and calls.session_id = substr(flag.session_key, length('session:') + 1))
        and not exists (select from calls where calls.tenant = flag.tenant
          and calls.id = case when flag.session_key like 'chain:call\\_%'
            then substr(flag.session_key, length('chain:call_') + 1)::uuid end)
      order by flag.raised_ms limit ${limit})
    returning kind`.execute(db)
  return rows.length
}
