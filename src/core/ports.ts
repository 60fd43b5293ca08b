import type { Snapshot } from './backup/backup.ts'
import type { ArtifactStore } from './artifact-store.ts'
import type { GroupStore } from './async/group-store.ts'
import type { CallLog } from './call-log.ts'
import type { EventLog } from './events/event-log.ts'
import type { RuleStore } from './rules/rule-store.ts'
import type { InputSeal } from './secrets/input-seal.ts'
import type { JobTable, NodeBus, SqlRunner, ToolDirectory } from './work-ports.ts'

/** An open store with all its parts. */
export interface Store {
  readonly kind: 'pglite' | 'postgres'
  /** The authoritative time: the database's, the same on every node. Never goes back. */
  now(): number
  readonly calls: CallLog
  readonly events: EventLog
  readonly artifacts: ArtifactStore
  /** Seals inputs that contain secrets, for work that is done later. */
  readonly inputs: InputSeal
  readonly rules: RuleStore
  readonly groups: GroupStore
  /** Absent for stores with a single node. */
  readonly toolDirectory?: ToolDirectory
  /** Also absent with a single node. */
  readonly bus?: NodeBus
  /** Where a queue may keep its jobs, and how it is notified of new ones. */
  readonly jobs: {
    sql: SqlRunner
    /** Runs several statements in one transaction. */
    transact<T>(work: (db: SqlRunner) => Promise<T>): Promise<T>
    /** From now on calls are queued and settled together with their jobs here. */
    connect(table: JobTable): void
    watch(listener: () => void): () => void
    announce(): void
  }
  /** Copies an embedded database into an empty folder while it is in use. */
  snapshot?(folder: string): Promise<Snapshot>
  /** Resolves when the database answers; throws store_unavailable. */
  ping(): Promise<void>
  /** Resolves when everything queued is written. */
  flush(): Promise<void>
  close(): Promise<void>
}
