import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { toToolUsage } from '../../core/usage/to-tool-usage.ts'
import { maxUsageRows, noUsage } from '../../core/usage/usage.ts'
import type { UsageFigures, UsageRow, UsageStore } from '../../core/usage/usage.ts'
import { guarded } from '../../store/engine/change-in.ts'
import type { Engine } from '../../store/engine/engine.ts'
import { toStoredText } from '../../store/log/stored-text.ts'

/** Daily figures on whichever engine. Only the fold over events writes them. */
export function createUsageStore(engine: Engine): UsageStore {
  return {
    read: (tenant, { from, to, by }) =>
      guarded(async () => {
        const kind = by === 'day' ? 'tenant' : by
        const group = sql.ref(by === 'day' ? 'day' : 'subject')
        const order = by === 'day' ? group : sql`sum(calls) desc, ${group}`
        const { rows } = await sql<StoredFigures & { subject: string }>`
          select ${group} as subject, ${sums} from usage_days
          where tenant = ${toStoredText(tenant)} and kind = ${kind} and day between ${from} and ${to}
          group by ${group} order by ${order} limit ${maxUsageRows}`.execute(engine.db)
        return rows.map((row): UsageRow => ({ subject: row.subject, ...toFigures(row) }))
      }),
    readTools: (tenant, { from, to }) =>
      guarded(async () => {
        const among = sql`tenant = ${toStoredText(tenant)} and day between ${from} and ${to}`
        // Those of the most calls first: of the others nobody asks for every day.
        const tools = await sql<StoredFigures & { day: string; subject: string }>`
          select day, subject, ${columns} from usage_days
          where ${among} and kind = 'tool' and subject in (
            select subject from usage_days where ${among} and kind = 'tool'
            group by subject order by sum(calls) desc, subject limit ${maxUsageRows})`.execute(
          engine.db,
        )
        const pace = await sql<{ subject: string; calls: string }>`
          select subject, sum(calls)::text as calls from usage_days
          where ${among} and kind = 'pace' group by subject`.execute(engine.db)
        return toToolUsage(
          tools.rows.map(({ day, subject, ...row }) => ({ day, subject, ...toFigures(row) })),
          pace.rows.map(({ subject, calls }) => ({ subject, calls: Number(calls) })),
          { from, to },
        )
      }),
    total: (tenant, day, { kind, id }) =>
      guarded(async () => {
        const { rows } = await sql<StoredFigures>`
          select ${columns} from usage_days where tenant = ${toStoredText(tenant)}
            and kind = ${kind} and day = ${day} and subject = ${toStoredText(id)}`.execute(
          engine.db,
        )
        return rows[0] === undefined ? { ...noUsage } : toFigures(rows[0])
      }),
  }
}

/** Sums of bigints are numeric, which drivers hand over as text. */
type StoredFigures = Record<(typeof names)[number], string>

const names = [
  'calls',
  'completed',
  'failed',
  'denied',
  'cancelled',
  'run_ms',
  'output_bytes',
  'cost',
] as const
const columns = select((column) => sql`${column}::text`)
const sums = select((column) => sql`sum(${column})::text`)

function select(of: (column: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`${of(sql.ref(name))} as ${sql.ref(name)}`))
}

function toFigures(row: StoredFigures): UsageFigures {
  return {
    calls: Number(row.calls),
    completed: Number(row.completed),
    failed: Number(row.failed),
    denied: Number(row.denied),
    cancelled: Number(row.cancelled),
    runMs: Number(row.run_ms),
    outputBytes: Number(row.output_bytes),
    // Fractions of units are added up as floats; digits beyond millionths are only their noise.
    cost: Math.round(Number(row.cost) * 1e6) / 1e6,
  }
}
