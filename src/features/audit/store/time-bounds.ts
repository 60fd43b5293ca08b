import type { AuditFilter } from '../../../core/audit/audit-filter.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { decodeCursorBytes } from '../../../store/log/events/event-cursor.ts'
import type { EventPosition } from '../../../store/log/events/event-cursor.ts'

/** Events are written at once or, after an outage, a while after they happened; later than this they are not looked for. */
const latestMs = 3_600_000

/**
 * The range of the feed that can hold events of that time. The feed is ordered by transaction, not
 * by time, but every segment records the latest time up to its end.
 */
export async function findTimeBounds(
  engine: Engine,
  tenant: string,
  { fromMs, toMs }: Pick<AuditFilter, 'fromMs' | 'toMs'>,
): Promise<{ above?: EventPosition; below?: EventPosition }> {
  const above = fromMs === undefined ? undefined : await findAbove(engine, tenant, fromMs)
  const below = toMs === undefined ? undefined : await findBelow(engine, tenant, toMs + latestMs)
  return { ...(above && { above }), ...(below && { below }) }
}

/** The end of the last segment up to which everything happened before that time. */
async function findAbove(
  engine: Engine,
  tenant: string,
  ms: number,
): Promise<EventPosition | undefined> {
  return firstEnd(
    segmentsOf(engine, tenant)
      .where('until_ms', '<', ms)
      .orderBy('until_ms', 'desc')
      .orderBy('number', 'desc'),
  )
}

/** Just after the first segment that reaches beyond that time. */
async function findBelow(
  engine: Engine,
  tenant: string,
  ms: number,
): Promise<EventPosition | undefined> {
  const position = await firstEnd(
    segmentsOf(engine, tenant).where('until_ms', '>=', ms).orderBy('until_ms').orderBy('number'),
  )
  return position && { ...position, seq: position.seq + 1 }
}

function segmentsOf({ db }: Engine, tenant: string) {
  return db.selectFrom('audit_segments').select('to_cursor').where('tenant', '=', tenant)
}

async function firstEnd(
  segments: ReturnType<typeof segmentsOf>,
): Promise<EventPosition | undefined> {
  const row = await segments.limit(1).executeTakeFirst()
  return row && decodeCursorBytes(row.to_cursor)
}
