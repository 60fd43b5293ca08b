import { sql } from 'kysely'
import type { CountedUse, UnusedPermits } from '../../../core/limits/limit-store.ts'
import { type LocalCounts, toGrant } from '../../../core/limits/local-counts.ts'
import { sliceCount, sliceMs } from '../../../core/limits/window.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import type { Engine, Statement } from '../../../store/engine/engine.ts'
import type { NodePresence } from '../../../store/log/node-presence.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { toPage } from '../../../store/engine/page.ts'

/** Counts that all nodes share, by the clock of the database. Each statement is a transaction. */
export function createStoredCounts(engine: Engine, presence: NodePresence): LocalCounts {
  return {
    takePermits: ({ tenant, limit, subject }, { most, wanted }) =>
      guarded(async () => {
        const names = [toStoredText(tenant), limit, toStoredText(subject)]
        const [row] = await engine.run(takePermits, [...names, most, wanted])
        const [granted, slot, used, at] = row ?? []
        const window = { slot: Number(slot), used: (used ?? '').split(',').map(Number) }
        return toGrant({ window, granted: Number(granted) }, { at: Number(at), most })
      }),
    givePermitsBack: (unused) => guarded(() => giveBack(engine, unused)),
    holdPlaces: ({ tenant, limit, subject }, { most, wanted, inUse }) =>
      guarded(async () => {
        const names = [toStoredText(tenant), limit, toStoredText(subject), presence.id]
        const numbers = [most, wanted, inUse, presence.timeoutMs]
        const [row] = await engine.run(holdPlaces, [...names, ...numbers])
        return Number(row?.[0])
      }),
    listUse: ({ tenant, limit: name }, { after, limit }) =>
      guarded(async () => {
        const of = { tenant, limit: name }
        const { rows } = await sql<CountedUse>`select * from (${usesOf(of, presence)}) uses
          where calls > 0 or concurrent > 0
          order by calls desc, concurrent desc, subject limit ${limit + 1} offset ${after}`.execute(
          engine.db,
        )
        return toPage(rows, limit, () => String(after + limit))
      }),
    findUse: (of) =>
      guarded(async () => {
        const { rows } = await sql<CountedUse>`select * from (${usesOf(of, presence)}) uses
          where subject = ${toStoredText(of.subject)}`.execute(engine.db)
        return rows[0] ?? { subject: of.subject, calls: 0, concurrent: 0 }
      }),
    forgetIdle: () =>
      guarded(async () => {
        const { numAffectedRows = 0n } =
          await sql`delete from limit_counts where slot < ${slotNow} - ${idleSlices}`.execute(
            engine.db,
          )
        return Number(numAffectedRows)
      }),
  }
}

const takePermits: Statement = {
  name: 'take_permits',
  text: `select granted::text, window_slot::text, array_to_string(window_used, ','), clock_ms::text
    from take_permits($1, $2, $3, $4::int, $5::int)`,
}

const holdPlaces: Statement = {
  name: 'hold_places',
  text: `select hold_places($1, $2, $3, $4, $5::int, $6::int, $7::int, $8::float8)::text`,
}

const slotNow = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint / ${sql.lit(sliceMs)}`
/** An hour. */
const idleSlices = sql.lit(3_600_000 / sliceMs)

/** One statement for each count, so that two nodes never wait for each other. */
async function giveBack(engine: Engine, unused: readonly UnusedPermits[]): Promise<void> {
  const merged = Map.groupBy(
    unused,
    ({ tenant, limit, subject, slot }) => `${tenant}\n${limit}\n${subject}\n${slot}`,
  )
  for (const back of merged.values()) {
    const [{ tenant, limit, subject, slot } = back[0] as UnusedPermits] = back
    const count = back.reduce((sum, one) => sum + one.count, 0)
    await sql`update limit_counts
      set used[slot - ${slot} + 1] = greatest(0, used[slot - ${slot} + 1] - ${count}::int)
      where tenant = ${toStoredText(tenant)} and limit_key = ${limit}
        and subject = ${toStoredText(subject)}
        and slot - ${slot} between 0 and ${sql.lit(sliceCount - 1)}`.execute(engine.db)
  }
}

/** Calls that still count, and places of nodes that live. */
function usesOf({ tenant, limit }: { tenant: string; limit: string }, presence: NodePresence) {
  const names = sql`tenant = ${toStoredText(tenant)} and limit_key = ${limit}`
  return sql`
    select coalesce(c.subject, p.subject) as subject,
      coalesce(c.calls, 0)::int as calls, coalesce(p.held, 0)::int as concurrent
    from (
      select subject, (select coalesce(sum(u), 0) from unnest(used) with ordinality as one (u, age)
        where slot - age + 1 > ${slotNow} - ${sql.lit(sliceCount)}) as calls
      from limit_counts where ${names}
    ) c full join (
      select subject, sum(held) as held from limit_places join nodes n on n.id = node
      where ${names} and n.seen_at > now() - make_interval(secs => ${presence.timeoutMs / 1000}::float8)
      group by subject
    ) p on p.subject = c.subject`
}
