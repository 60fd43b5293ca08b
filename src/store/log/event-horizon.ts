import type { Engine, Statement } from '../engine/engine.ts'

/**
 * The transaction number below which everything in this database has been decided, as text; null
 * where the reading statement may ask its own snapshot.
 *
 * PostgreSQL's own horizon covers the whole cluster: a load of another database that runs for an
 * hour would hold back our readers for that long. So only the transactions of this database count,
 * wherever we may see them. They are looked at after the snapshot was taken: one that has ended by
 * then is visible to the statement that reads, one that began after it has a number above.
 */
export async function findHorizon(engine: Engine): Promise<string | null> {
  if (engine.kind === 'pglite') return null
  const [row] = await engine.run(runningTransactions, [])
  const [xmin, xmax, hidden, running] = row ?? []
  if (xmin == null || xmax == null) return null
  if (xmin === xmax) return xmax
  if (hidden !== '0') return xmin
  const numbers = (running ?? '').split(',').filter((number) => number !== '')
  return numbers.reduce((least, number) => lesser(least, widen(number, xmax)), xmax)
}

function lesser(left: string, right: string): string {
  return BigInt(left) < BigInt(right) ? left : right
}

/** Sessions report 32 bits of their transaction's number; it lies within half that range below the newest. */
export function widen(number: string, newest: string): string {
  const range = 2n ** 32n
  const behind = (BigInt(newest) - BigInt(number)) % range
  return String(BigInt(newest) - (behind < 0n ? behind + range : behind))
}

const runningTransactions: Statement = {
  name: 'find_running_transactions',
  text: `select pg_snapshot_xmin(s)::text, pg_snapshot_xmax(s)::text, r.hidden::text, r.running
    from (select pg_current_snapshot() as s) now
    left join lateral (
      select count(*) filter (where not is_seen) as hidden, string_agg(xid::text, ',') as running
      from (
        select backend_xid as xid, usesysid = (select oid from pg_roles where rolname = current_user)
          or pg_has_role(current_user, 'pg_read_all_stats', 'member') as is_seen
        from pg_stat_activity where datname = current_database()
        union all
        select transaction, true from pg_prepared_xacts where database = current_database()
      ) t
    ) r on pg_snapshot_xmin(s) <> pg_snapshot_xmax(s)`,
}
