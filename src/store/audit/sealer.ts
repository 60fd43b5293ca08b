import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import type { WriteListener } from '../log/writing/log-entry.ts'
import { sealNext } from './seal-next.ts'
import type { Sealing } from './seal-next.ts'

/** The walker behind the writers: seals what they wrote, a stretch at a time. */
export interface Sealer extends WriteListener {
  /** One round. Returns how many tenants have more to seal at once; zero means: come again in a second. */
  sweep(): Promise<number>
  /** Seals everything of a tenant that can be. Returns how many events that were. */
  sealAll(tenant: string): Promise<number>
}

/**
 * How many tenants are checked at a time for events from other nodes or from outside the log's
 * writer.
 */
const scannedAtOnce = 100
const scanEveryMs = 900
const sealedAtOnce = 200
const firstStream = '00000000-0000-0000-0000-000000000000'

/**
 * Tenants that this process has written for are known. All others are visited in turn, a hundred a
 * second, to seal what another node left behind or wrote in its own transaction.
 */
export function createSealer(sealing: Sealing): Sealer {
  const dirty = new Set<string>()
  let scannedTo = ''
  let scannedAt = -Infinity

  const scan = async () => {
    if (performance.now() - scannedAt < scanEveryMs) return
    scannedAt = performance.now()
    const found = await findBehind(sealing.engine, scannedTo)
    scannedTo = found.length < scannedAtOnce ? '' : (found.at(-1)?.tenant ?? '')
    for (const { tenant, is_behind: isBehind } of found) if (isBehind) dirty.add(tenant)
  }
  return {
    note: (tenant) => void dirty.add(tenant),
    written(rows) {
      for (const { tenant } of rows) dirty.add(tenant)
      sealing.unsealed.add(rows)
    },
    async sweep() {
      await scan()
      let busy = dirty.size > sealedAtOnce ? 1 : 0
      const failures: unknown[] = []
      for (const tenant of [...dirty].slice(0, sealedAtOnce)) {
        // Before the read, so that a write during it marks the tenant again.
        dirty.delete(tenant)
        try {
          const { hasMore } = await sealNext(sealing, tenant)
          if (!hasMore) continue
          busy += 1
        } catch (error) {
          // One tenant that can't be sealed does not keep the others waiting.
          failures.push(error)
        }
        dirty.add(tenant)
      }
      if (failures.length > 0) throw toStoreError(failures[0])
      return busy
    },
    async sealAll(tenant) {
      let sealed = 0
      for (;;) {
        const { events, hasMore } = await sealNext(sealing, tenant)
        sealed += events
        // After a stretch from memory there may be rows of others.
        if (!hasMore && events === 0) return sealed
      }
    },
  }
}

/** The tenants after this one that have events, and whether some lie beyond the end of their chain. */
async function findBehind(
  engine: Engine,
  after: string,
): Promise<{ tenant: string; is_behind: boolean }[]> {
  const { rows } = await sql<{ tenant: string; is_behind: boolean }>`
    with recursive t(tenant) as (
      (select tenant from events where tenant > ${after} order by tenant limit 1)
      union all
      select (select e.tenant from events e where e.tenant > t.tenant order by e.tenant limit 1)
      from t where t.tenant is not null
    )
    select t.tenant, exists (
      select from events e where e.tenant = t.tenant and (e.era, e.xid, e.stream, e.last_seq)
        > (coalesce(h.era, 0), coalesce(h.xid, '0'), coalesce(h.stream, ${firstStream}::uuid),
          coalesce(h.last_seq, 0))
    ) as is_behind
    from (select tenant from t where tenant is not null limit ${scannedAtOnce}) t
    left join audit_heads h on h.tenant = t.tenant`.execute(engine.db)
  return rows
}
