import type { PgliteSession } from './pglite-session.ts'

const lookEveryMs = 2_000
const walBetweenCheckpoints = 16 * 1024 * 1024
const checkpointAtLeastEveryMs = 60_000
const deadRowsBeforeVacuum = 5_000
/** As autovacuum would: on a large table a pass costs more (0.4 s at 350,000 calls), so it waits for more. */
const deadShareBeforeVacuum = 0.2
/** A pass stops everything else, so it waits for a quiet moment until it is this many times overdue. */
const overdue = 3

export interface PgliteUpkeep {
  /** Notes that rows were written, and how many of them left a dead version behind. */
  note(deadRows: number): void
  /** No checkpoint while `work` runs: it relies on the log that one would clear away. */
  without<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/**
 * Does what PostgreSQL's background processes do, for an engine that has none: without it, dead
 * rows and the write-ahead log only grow, and so does the time to start after a kill.
 */
export function createPgliteUpkeep(
  session: PgliteSession,
  onWarning: (message: string) => void,
): PgliteUpkeep {
  const work = {
    isDirty: false,
    isBusy: false,
    deadRows: 0,
    checkpointAt: performance.now(),
    wal: 0,
    running: Promise.resolve(),
    pauses: 0,
  }
  const look = async () => {
    if (!work.isDirty || work.pauses > 0) return
    const { wal, rows } = await measure(session)
    const isQuiet = !work.isBusy
    work.isBusy = false
    const due = deadRowsBeforeVacuum + rows * deadShareBeforeVacuum
    if (work.deadRows > (isQuiet ? due : due * overdue)) {
      work.deadRows = 0
      await session.exec('vacuum calls')
    }
    const isDue = performance.now() - work.checkpointAt > checkpointAtLeastEveryMs
    if (!isDue && wal - work.wal < walBetweenCheckpoints) return
    work.isDirty = false
    work.checkpointAt = performance.now()
    work.wal = wal
    await session.exec('checkpoint')
  }
  const timer = setInterval(() => {
    work.running = look().catch((error: unknown) => onWarning(`Upkeep failed: ${String(error)}`))
  }, lookEveryMs)
  timer.unref()
  return {
    note(deadRows) {
      work.isDirty = true
      work.isBusy = true
      work.deadRows += deadRows
    },
    async without(run) {
      work.pauses += 1
      try {
        await work.running
        return await run()
      } finally {
        work.pauses -= 1
      }
    },
    async stop() {
      clearInterval(timer)
      await work.running
      if (work.isDirty) await session.exec('checkpoint')
    },
  }
}

async function measure(session: PgliteSession): Promise<{ wal: number; rows: number }> {
  const [row] = await session.run(measureStatement, [])
  return { wal: Number(row?.[0] ?? 0), rows: Math.max(0, Number(row?.[1] ?? 0)) }
}

const measureStatement = {
  name: 'measure_upkeep',
  text: `select (pg_current_wal_insert_lsn() - '0/0')::text,
    (select reltuples::bigint::text from pg_class where oid = 'calls'::regclass)`,
}
