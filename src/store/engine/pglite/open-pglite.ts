import { type Driver, Kysely, PGliteDialect } from 'kysely'
import type { Snapshot } from '../../../core/backup/backup.ts'
import type { Tables } from '../../tables.ts'
import { createSignals } from '../change-signal.ts'
import type { Engine } from '../engine.ts'
import { markInUse, refuseCopy, unmarkInUse } from './in-use-mark.ts'
import { migrate } from '../migrate.ts'
import { refuseInsideChange } from '../open-change.ts'
import { claimFolder, openFolder } from './pglite-folder.ts'
import { PgliteSession } from './pglite-session.ts'
import { createFastWire } from './wire/fast-wire.ts'
import { createPlainWire } from './wire/plain-wire.ts'
import { createPgliteUpkeep } from './pglite-upkeep.ts'
import { takeSnapshot } from '../take-snapshot.ts'
import { createLocalClock } from '../engine-clock.ts'

/** The embedded engine in a folder, which belongs to this process until it is closed. */
export async function openPglite(options: {
  dataDir: string
  wire?: 'plain' | undefined
  onWarning: (message: string) => void
}): Promise<Engine> {
  await refuseCopy(options.dataDir)
  const lock = await claimFolder(options.dataDir)
  let wasClosed = false
  try {
    wasClosed = await markInUse(options.dataDir)
    const database = await openFolder(options.dataDir)
    await markInUse(options.dataDir)
    const reopen = () => openFolder(options.dataDir)
    const toWire = options.wire === 'plain' ? createPlainWire : createFastWire
    const session = new PgliteSession({ database, reopen, toWire, onWarning: options.onWarning })
    return await createPgliteEngine(session, {
      ...options,
      snapshot: (folder) => takeSnapshot(session, { from: options.dataDir, to: folder }),
      onClosed: () => unmarkInUse(options.dataDir),
      release: () => lock.release(),
    })
  } catch (error) {
    // Nothing was written since it was closed, so a copy of it is still whole.
    if (wasClosed) await unmarkInUse(options.dataDir)
    await lock.release()
    throw error
  }
}

export interface PgliteEngineOptions {
  /** Where its journal goes. */
  dataDir: string
  onWarning: (message: string) => void
  /** Absent where there are no files to copy. */
  snapshot?: (folder: string) => Promise<Snapshot>
  /** Called once the session has closed in order. */
  onClosed?: () => Promise<void>
  /** Called at the end, however closing went. */
  release: () => Promise<void>
}

/** The engine on a session that is open, with its schema up to date. The session closes with it. */
export async function createPgliteEngine(
  session: PgliteSession,
  options: PgliteEngineOptions,
): Promise<Engine> {
  const db = createKysely(session)
  try {
    await migrate(db)
  } catch (error) {
    // Report the failure itself, not that a broken session cannot be closed.
    await session.close().catch(() => {})
    throw error
  }
  const signals = createSignals()
  const upkeep = createPgliteUpkeep(session, options.onWarning)
  const { snapshot } = options
  return {
    kind: 'pglite',
    now: createLocalClock().now,
    db,
    // One session, so a second statement would only wait.
    lanes: 1,
    run: (statement, values) => session.run(statement, values),
    transact: (work) => session.transact(work),
    sql: { executeSql: (text, values) => session.executeSql(text, values) },
    noteWrites(deadRows) {
      session.noteChange()
      upkeep.note(deadRows)
    },
    announce: (topic = 'events') => signals[topic].fire(),
    watch: (listener, topic = 'events') => signals[topic].watch(listener),
    deferral: {
      folder: options.dataDir,
      inTurn: (work) => session.inTurn(work),
      onUse: (bringIn) => session.onUse(bringIn),
    },
    ...(snapshot && { snapshot: (folder: string) => upkeep.without(() => snapshot(folder)) }),
    async close() {
      for (const signal of Object.values(signals)) signal.stop()
      await upkeep.stop().catch(() => {})
      try {
        await session.close()
        await options.onClosed?.()
      } finally {
        await options.release()
      }
    },
  }
}

/** Kysely gets our queue in place of PGlite, so that its transactions and the hot path never mix. */
function createKysely(session: PgliteSession): Kysely<Tables> {
  const pglite = {
    closed: false,
    ready: true,
    waitReady: Promise.resolve(),
    query: session.query.bind(session) as never,
    transaction: session.transact.bind(session) as never,
    // The engine closes the session itself, after its last checkpoint.
    close: async () => {},
  }
  const dialect = new PGliteDialect({ pglite })
  return new Kysely<Tables>({
    dialect: {
      // Kysely would queue for the one connection before it asks the driver, which could refuse nobody.
      createAdapter: () =>
        Object.defineProperty(dialect.createAdapter(), 'supportsMultipleConnections', {
          value: true,
        }),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => toGuardedDriver(dialect.createDriver()),
    },
  })
}

/** The one connection is asked for by every statement outside of a transaction, and had in turn. */
function toGuardedDriver(driver: Driver): Driver {
  const [acquire, release] = [driver.acquireConnection, driver.releaseConnection].map((method) =>
    method.bind(driver),
  ) as [Driver['acquireConnection'], Driver['releaseConnection']]
  let last: Promise<void> = Promise.resolve()
  let done: () => void = () => {}
  driver.acquireConnection = async (options) => {
    refuseInsideChange()
    const turn = Promise.withResolvers<void>()
    const before = last
    last = turn.promise
    await before
    done = turn.resolve
    return acquire(options)
  }
  driver.releaseConnection = async (connection, options) => {
    await release(connection, options)
    done()
  }
  return driver
}
