import type { Engine, Statement } from '../../engine/engine.ts'

/** Asks for the horizon; null where the reading statement may ask its own snapshot. */
export type Horizon = () => Promise<string | null>

/**
 * A horizon that never goes back: what has been decided stays so, though a look that may see less
 * (a session of somebody else's has come) finds a lower number. So one who has read to the end has
 * seen all that any reader of this process saw before. A cluster that has not come as far is another one.
 */
export function createHorizon(engine: Engine): Horizon {
  let furthest = 0n
  return async () => {
    // Known before this look: another one that began later may have answered in the meantime.
    const before = furthest
    const { horizon, newest } = await findHorizon(engine)
    if (horizon === null) return null
    if (BigInt(newest) < before) furthest = 0n
    if (BigInt(horizon) > furthest) furthest = BigInt(horizon)
    return String(furthest)
  }
}

/**
 * The transaction number below which everything in this database has been decided, as text; null
 * where the reading statement may ask its own snapshot.
 *
 * PostgreSQL's own horizon covers the whole cluster: a load of another database that runs for an
 * hour would hold back our readers for that long. So only the transactions of this database count,
 * wherever we may see them. They are looked at after the snapshot was taken: one that has ended by
 * then is visible to the statement that reads, one that began after it has a number above.
 */
async function findHorizon(engine: Engine): Promise<{ horizon: string | null; newest: string }> {
  if (engine.kind === 'pglite') return { horizon: null, newest: '0' }
  const [row] = await engine.run(runningTransactions, [])
  const [xmin, xmax, hidden, running] = row ?? []
  if (xmin == null || xmax == null) return { horizon: null, newest: '0' }
  if (xmin === xmax) return { horizon: xmax, newest: xmax }
  if (hidden !== '0') return { horizon: xmin, newest: xmax }
  const numbers = (running ?? '').split(',').filter((number) => number !== '')
  const least = numbers.reduce((least, number) => lesser(least, widen(number, xmax)), xmax)
  return { horizon: least, newest: xmax }
}

function lesser(left: string, right: string): string {
  return BigInt(left) < BigInt(right) ? left : right
}

/**
 * Sessions report 32 bits of their transaction's number; it lies within half that range of `newest`.
 * Mostly below, but a transaction that began after the snapshot was taken lies above: taken for an
 * old one it would come out negative, which PostgreSQL reads as a number above all others.
 */
export function widen(number: string, newest: string): string {
  return String(BigInt(newest) + BigInt.asIntN(32, BigInt(number) - BigInt(newest)))
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
