import type { Kysely } from 'kysely'
import type { Snapshot } from '../../core/backup/backup.ts'
import type { NodeBus, SqlRunner } from '../../core/work-ports.ts'
import type { Tables } from '../tables.ts'

/** A statement of the hot path: prepared once per connection under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A parameter. Bytes travel in PostgreSQL's binary format, everything else as text. */
export type Value = Uint8Array | string | number | null

/** Hot statements select text alone, so that a row reads the same from every driver. */
export type TextRow = readonly (string | null)[]

/** Inside a transaction: hot statements, and any other. */
export interface EngineTransaction extends SqlRunner {
  run(statement: Statement, values: readonly Value[]): Promise<TextRow[]>
}

/** Topics for readers: something happened, there is work to run, or rules have changed. */
export const topics = ['events', 'jobs', 'rules'] as const

export type Topic = (typeof topics)[number]

/**
 * Of an engine where a commit costs far more than a line in a file: what is written there may be
 * brought into its tables later, with many others, as long as it is there before anybody looks.
 */
export interface Deferral {
  /** Where the file may be. */
  readonly folder: string
  /** Statements that nobody else comes between, each committed by itself; brings nothing in before. */
  inTurn<T>(work: (run: Engine['run']) => Promise<T>): Promise<T>
  /**
   * Registers a function that runs before any other use of the database; its statements come first.
   */
  onUse(bringIn: () => void): void
}

/** A database with our schema in it, embedded or not. The same SQL runs on both. */
export interface Engine {
  readonly kind: 'pglite' | 'postgres'
  /** The time of the database, which decides what is due and what has expired. */
  now(): number
  /** For everything that is not hot. */
  readonly db: Kysely<Tables>
  /** How many hot statements are worth having under way at once. */
  readonly lanes: number
  /** Runs one statement in a transaction of its own; when it resolves, it is committed. */
  run(statement: Statement, values: readonly Value[]): Promise<TextRow[]>
  /** Several statements, all or none. Commits when `work` resolves; nothing else may be waited for inside. */
  transact<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T>
  /** For those who bring their own SQL, each statement alone. Without values it may be several statements. */
  readonly sql: SqlRunner
  /** Notes a hot write, and how many rows it left a dead version of, for engines that clean up by hand. */
  noteWrites(deadRows: number): void
  /** Notifies every node, this one included, that there may be something new. */
  announce(topic?: Topic): void
  watch(listener: () => void, topic?: Topic): () => void
  /** Absent where this process is alone. */
  readonly bus?: NodeBus
  readonly deferral?: Deferral
  /** Copies the database into an empty folder while it is in use. Absent where others keep the files. */
  snapshot?(folder: string): Promise<Snapshot>
  close(): Promise<void>
}
