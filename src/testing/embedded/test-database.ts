import { readFile } from 'node:fs/promises'
import { type Database, openDatabase } from '../../store/engine/pglite/pglite-database.ts'
import { pgliteStartParams } from '../../store/engine/pglite/pglite-settings.ts'
import { ensurePrebuiltFolder } from '../../store/engine/pglite/prebuilt-folder.ts'
import { execute } from '../../store/engine/pglite/wire/pglite-wire.ts'
import { describeContent, type FreshContent, restoreContent } from './fresh-content.ts'

interface KeptDatabase {
  readonly database: Database
  readonly fresh: FreshContent
}

/** Emptying one takes a twentieth of the time that starting another does. Few tests have more than two. */
const maxIdle = 2
const idle: KeptDatabase[] = []

/**
 * A database in memory with the schema and nothing else, as a first start finds it. Closed, it is kept
 * for the next one who asks in this process, who gets it emptied.
 */
export async function openTestDatabase(): Promise<Database> {
  const kept = (await takeIdle()) ?? (await startDatabase())
  return {
    send: (message) => kept.database.send(message),
    query: (text, values) => kept.database.query(text, values),
    async close() {
      if (idle.length >= maxIdle) return kept.database.close()
      await letProcessEnd(kept.database)
      idle.push(kept)
    },
  }
}

/**
 * The engine means to write statistics when it has been idle for ten seconds, and its timer for that
 * keeps the process. So it writes them now, and sets its timer, of which it has only one, to a moment.
 */
async function letProcessEnd(database: Database): Promise<void> {
  await execute(database, `set statement_timeout = '100ms'`)
  await execute(database, 'select pg_stat_force_next_flush()')
}

async function takeIdle(): Promise<KeptDatabase | undefined> {
  const kept = idle.pop()
  if (kept === undefined) return undefined
  if (await restoreContent(kept.database, kept.fresh)) return kept
  await kept.database.close()
  return undefined
}

async function startDatabase(): Promise<KeptDatabase> {
  const { path } = await ensurePrebuiltFolder()
  const database = await openDatabase({
    dataDir: 'memory://',
    loadDataDir: new Blob([await readFile(path)]),
    // Disables another timer, which reports a slow start and would run forever.
    startParams: [...pgliteStartParams(), '-c', 'log_startup_progress_interval=0'],
  })
  return { database, fresh: await describeContent(database) }
}
