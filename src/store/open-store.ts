import type { Snapshot } from '../core/backup/backup.ts'
import { sql } from 'kysely'
import { ToolError } from '../core/kernel/errors.ts'
import { timeIdsBy } from '../core/kernel/ids.ts'
import type { Store } from '../core/ports.ts'
import type { Engine } from './engine/engine.ts'
import { toStoreError } from './engine/store-error.ts'
import { createGroupStore, releaseGroups } from './groups.ts'
import { createArtifactStore, removeAbandonedArtifacts } from './log/artifact-store.ts'
import { createCallLog } from './log/call-log.ts'
import { enterEra } from './log/events/event-era.ts'
import { createHorizon } from './log/events/event-horizon.ts'
import { createEventLog } from './log/events/event-log.ts'
import { createLogWriter, type LogWriter } from './log/writing/log-writer.ts'
import { enterNode, type NodePresence } from './log/node-presence.ts'
import { removeOld, type OldRows, type RemoveOldRows } from './retention.ts'
import { createInputSeal } from './sealing/sealed-input.ts'
import type { KeySource, MasterKeyRing } from './master-key.ts'
import { createRuleStore } from './rules/rule-store.ts'
import { createChain } from './audit/chain.ts'
import type { Sealing } from './audit/seal-next.ts'
import { createSealer, type Sealer } from './audit/sealer.ts'
import { createUnsealed } from './audit/unsealed.ts'
import { unlockStore } from './sealing/key-checks.ts'
import { createLiveRing, type LiveRing } from './sealing/live-ring.ts'

/** Where the data is: a folder of our own, or a PostgreSQL. */
export type StoreLocation =
  | { kind: 'pglite'; dataDir: string; wire?: 'plain' | undefined }
  | { kind: 'postgres'; url: string; poolSize?: number }

/** The store on a database. */
export interface OpenStore extends Store {
  /** For features, which keep their own tables. */
  readonly engine: Engine
  /** Shared with some stores of features. */
  readonly parts: StoreParts
}

export interface StoreParts {
  readonly writer: LogWriter
  readonly sealing: Sealing
  /** Seals the feed of events behind the writer. */
  readonly sealer: Sealer
  /** This process among the nodes. */
  readonly presence: NodePresence
  /** The current master keys. */
  readonly ring: LiveRing
  /** The secret of keyed digests. */
  readonly pepper: Uint8Array
  /** Removes old records, and with `others` those of features, in one transaction. */
  removeOld(old: OldRows, others: readonly RemoveOldRows[]): Promise<number>
}

export interface StoreSettings {
  masterKeys: MasterKeyRing
  /** Where they came from, to look again and to add to; without, they stay as they are. */
  keySource?: KeySource
  /** Names this node to people; the store makes it unique per start. */
  nodeId: string
  onWarning: (message: string) => void
  /** A node that was silent for so long counts as gone (10 s, as the leases of jobs). */
  nodeTimeoutMs?: number
}

const defaultNodeTimeoutMs = 10_000
const pingTimeoutMs = 3_000

/** Opens the database and creates something on it. Fails with a code and a fix. */
export async function openOn<T>(
  location: StoreLocation,
  onWarning: (message: string) => void,
  create: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(location, onWarning)
  try {
    return await create(engine)
  } catch (error) {
    await engine.close().catch(() => {})
    throw toStoreError(error)
  }
}

/** The database alone, with its schema up to date. */
export async function openEngine(
  location: StoreLocation,
  onWarning: (message: string) => void,
): Promise<Engine> {
  try {
    const engine = await openAt(location, onWarning)
    timeIdsBy(engine.now)
    return engine
  } catch (error) {
    throw toStoreError(error)
  }
}

/** A server takes only the engine it needs into memory: the embedded one is a database in itself. */
async function openAt(
  location: StoreLocation,
  onWarning: (message: string) => void,
): Promise<Engine> {
  if (location.kind === 'pglite') {
    const { openPglite } = await import('./engine/pglite/open-pglite.ts')
    return openPglite({ ...location, onWarning })
  }
  const { openPostgres } = await import('./engine/open-postgres.ts')
  return openPostgres({ url: location.url, poolSize: location.poolSize, onWarning })
}

/** The store on a database that is open. It closes with the store. */
export async function createStore(engine: Engine, settings: StoreSettings): Promise<OpenStore> {
  const ring = createLiveRing(settings.masterKeys)
  const pepper = await unlockStore(engine.db, ring)
  const era = await enterEra(engine.db)
  await removeAbandonedArtifacts(engine)
  const { nodeTimeoutMs: timeoutMs = defaultNodeTimeoutMs } = settings
  const presence = await enterNode(engine, { ...settings, timeoutMs })
  const memory = { horizon: createHorizon(engine), unsealed: createUnsealed(era) }
  const sealing = { engine, era, chain: createChain(pepper), ...memory }
  const sealer = createSealer(sealing)
  const { onWarning } = settings
  const writer = await createLogWriter(engine, { node: presence.id, onWarning }, sealer)
  const inputs = createInputSeal(ring)
  // Embedded, this process is alone: earlier holders of a lease are dead.
  if (engine.kind === 'pglite') await releaseGroups(engine)
  let closing: Promise<void> | undefined
  const close = async () => {
    await writer.close().catch((error: unknown) => onWarning(`Closing: ${String(error)}`))
    await presence.leave().catch(() => {})
    await engine.close()
  }
  return {
    engine,
    parts: {
      writer,
      sealing,
      sealer,
      presence,
      ring,
      pepper,
      removeOld: (old, others) => removeOld(sealing, old, others),
    },
    kind: engine.kind,
    now: engine.now,
    calls: createCallLog(engine, { writer, presence, pepper, inputs }),
    events: createEventLog(engine, writer, era),
    artifacts: createArtifactStore(engine),
    inputs,
    ...createDecided(engine),
    groups: createGroupStore(engine, inputs),
    // In an embedded store there is nobody else to ask.
    ...(engine.kind === 'postgres' && { toolDirectory: presence.toolDirectory }),
    ...(engine.bus !== undefined && { bus: engine.bus }),
    jobs: createJobTable(engine, writer),
    ...(engine.snapshot && { snapshot: (folder: string) => snapshot(engine, writer, folder) }),
    ping: () => ping(engine),
    flush: () => writer.flush(),
    close: () => (closing ??= close()),
  }
}

/** The parts of the database that the queue needs. */
function createJobTable(engine: Engine, writer: LogWriter): Store['jobs'] {
  return {
    sql: engine.sql,
    transact: (work) => engine.transact(work),
    connect: (table) => writer.connectJobs(table),
    watch: (listener) => engine.watch(listener, 'jobs'),
    announce: () => engine.announce('jobs'),
  }
}

/** Decisions of people, members, and messages of people and agents. */
function createDecided(engine: Engine) {
  return {
    rules: createRuleStore(engine),
  }
}

/** Deferred writes go in first, so that every acknowledged write is in the copy. */
async function snapshot(engine: Engine, writer: LogWriter, folder: string): Promise<Snapshot> {
  await writer.flush()
  if (engine.snapshot !== undefined) return engine.snapshot(folder)
  throw new TypeError('This engine takes no snapshots')
}

async function ping(engine: Engine): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(
      new ToolError('store_unavailable', `The store did not answer in ${pingTimeoutMs} ms.`),
    )
  }, pingTimeoutMs)
  try {
    await Promise.race([sql`select 1`.execute(engine.db), late.promise])
  } catch (error) {
    throw toStoreError(error)
  } finally {
    clearTimeout(timer)
  }
}
