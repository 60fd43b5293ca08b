import { ToolError } from '../../../core/kernel/errors.ts'
import type { EngineTransaction, Statement, TextRow, Value } from '../engine.ts'
import { refuseInsideChange } from '../open-change.ts'
import type { Database } from './pglite-database.ts'
import { createFastWire } from './wire/fast-wire.ts'
import { isPreparable } from './wire/pglite-prepared.ts'
import type { QueryResult, Replies, Wire } from './wire/wire.ts'
import { isCorrupted, rolledBack, sqlState, toStoreError } from '../store-error.ts'

const reopenPauseMs = 1_000

interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>
}

/**
 * The one session that the embedded engine has. Everything goes through one queue here, because
 * prepared statements bypass PGlite's own: without it a hot write could land in the middle of
 * somebody's transaction and be rolled back with it after it was acknowledged.
 */
export class PgliteSession {
  readonly #open: () => Promise<Database>
  readonly #onWarning: (message: string) => void
  readonly #toWire: (database: Database) => Wire
  #database: Database | undefined
  #wire: Wire | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #nextReopen = 0
  /** Why the last instance was given up. */
  #brokeBy: unknown
  #isDamageKnown = false
  #bringIn: () => void = () => {}

  constructor(options: {
    database: Database
    reopen: () => Promise<Database>
    /** How statements are sent (`createFastWire`). */
    toWire?: (database: Database) => Wire
    onWarning: (message: string) => void
  }) {
    this.#open = options.reopen
    this.#toWire = options.toWire ?? createFastWire
    this.#use(options.database)
    this.#onWarning = options.onWarning
  }

  run(statement: Statement, values: readonly Value[]): Promise<TextRow[]> {
    return this.#exclusive(async (wire) => (await wire.run(statement, values)).rows)
  }

  /** Statements that have to be done before others look; nobody comes between them. */
  inTurn<T>(work: (run: EngineTransaction['run']) => Promise<T>): Promise<T> {
    return this.#inTurn((wire) =>
      work(async (statement, values) => (await wire.run(statement, values)).rows),
    )
  }

  /** Everything that was written before is in, and nothing else happens until `work` is done. */
  hold<T>(
    work: (parts: {
      run: EngineTransaction['run']
      exec(text: string): Promise<unknown>
    }) => Promise<T>,
  ): Promise<T> {
    return this.#exclusive((wire) =>
      work({
        run: async (statement, values) => (await wire.run(statement, values)).rows,
        exec: (text) => wire.execute(text),
      }),
    )
  }

  /** Hot statements have written rows. */
  noteChange(): void {
    this.#wire?.noteChange()
  }

  /** From now on this is called before everything else that is asked of the session. */
  onUse(bringIn: () => void): void {
    this.#bringIn = bringIn
  }

  query(text: string, values?: readonly unknown[]): Promise<QueryResult> {
    return this.#exclusive((wire) => wire.query(text, values))
  }

  /** Hot statements and others, all or none. */
  transact<T>(work: (transaction: EngineTransaction & Queries) => Promise<T>): Promise<T> {
    return this.#exclusive(async (wire) => {
      await wire.run(begin, [])
      try {
        const result = await work({
          run: async (statement, values) => (await wire.run(statement, values)).rows,
          query: (text, values) => wire.query(text, values),
          executeSql: (text, values) => executeSql(wire, text, values),
        })
        const { tag }: Replies = await wire.run(commit, [])
        if (tag === 'ROLLBACK') throw rolledBack()
        return result
      } catch (error) {
        await rollBack(wire, error)
        throw error
      }
    })
  }

  /** One statement with values, or several without. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    return this.#exclusive(async (wire) => {
      try {
        return await executeSql(wire, text, values)
      } catch (error) {
        // Several statements may have begun a transaction of their own.
        await rollBack(wire, error)
        throw error
      }
    })
  }

  exec(text: string): Promise<unknown> {
    return this.#exclusive((wire) => wire.execute(text))
  }

  /** Closes it; afterwards every use fails. */
  async close(): Promise<void> {
    await this.#exclusive((_wire, database) => database.close())
    this.#database = undefined
    this.#wire = undefined
    this.#brokeBy = undefined
    this.#nextReopen = Infinity
  }

  async #exclusive<T>(work: (wire: Wire, database: Database) => Promise<T>): Promise<T> {
    refuseInsideChange()
    this.#bringIn()
    return this.#inTurn(work)
  }

  async #inTurn<T>(work: (wire: Wire, database: Database) => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      const database = this.#database ?? (await this.#reopen())
      const wire = this.#wire ?? this.#use(database)
      try {
        return await work(wire, database)
      } catch (error) {
        this.#abandonWhenBroken(error)
        throw error
      }
    })
    this.#tail = result.catch(() => {})
    return result
  }

  #use(database: Database): Wire {
    this.#database = database
    this.#wire = this.#toWire(database)
    return this.#wire
  }

  /**
   * A full disk makes PostgreSQL panic in the middle of a write. The real one restarts itself; here
   * the broken instance must never be used or closed again, since either would write its broken
   * memory to disk. Acknowledged writes are in the WAL, and reopening recovers them. Invalid pages
   * may exist in memory alone, so the first one causes a reopen. If they are on disk, reopening
   * heals nothing, and each further one would cost everyone the database.
   */
  #abandonWhenBroken(error: unknown): void {
    const mayHeal = isCorrupted(error) && !this.#isDamageKnown
    if (!(isBroken(error) || mayHeal) || this.#database === undefined) return
    this.#database = undefined
    this.#wire = undefined
    this.#brokeBy = error
    this.#nextReopen = performance.now() + reopenPauseMs
    const reason = error instanceof Error ? error.message : String(error)
    this.#onWarning(`The embedded database broke off and will be reopened: ${reason}`)
  }

  async #reopen(): Promise<Database> {
    if (performance.now() < this.#nextReopen) {
      if (isCorrupted(this.#brokeBy)) throw toStoreError(this.#brokeBy)
      throw new ToolError(
        'store_unavailable',
        'The embedded database is closed or being reopened.',
        {
          fix: 'Try again in a few seconds; if it stays like this, check the disk and restart.',
        },
      )
    }
    this.#nextReopen = performance.now() + reopenPauseMs
    const database = await this.#open()
    this.#use(database)
    this.#isDamageKnown ||= isCorrupted(this.#brokeBy)
    this.#onWarning('The embedded database is open again.')
    return database
  }
}

/** Nothing more is asked of an instance that broke: see `#abandonWhenBroken`. */
async function rollBack(wire: Wire, because: unknown): Promise<void> {
  if (!isBroken(because)) await wire.execute('rollback').catch(() => {})
}

async function executeSql(
  wire: Wire,
  text: string,
  values: unknown[] | undefined,
): Promise<{ rows: Record<string, unknown>[] }> {
  const isOne = isPreparable(text) || (values !== undefined && values.length > 0)
  if (isOne) return wire.query(text, values)
  const results = await wire.execute(text)
  return { rows: results.flatMap((result) => result.rows) }
}

function isBroken(error: unknown): boolean {
  return sqlState(error) === undefined ? isEngineCrash(error) : isPanic(error)
}

const begin: Statement = { name: 'begin', text: 'begin' }
const commit: Statement = { name: 'commit', text: 'commit' }

/** Errors of WebAssembly and its runtime when the engine itself crashed. */
function isEngineCrash(error: unknown): boolean {
  return error instanceof Error && ['RuntimeError', 'ExitStatus', 'ErrnoError'].includes(error.name)
}

/** An error after which a real server would have restarted, or that only a damaged session reports. */
function isPanic(error: unknown): boolean {
  const { severity } = error as { severity?: string }
  if (severity === 'PANIC' || severity === 'FATAL') return true
  return sqlState(error)?.startsWith('XX') === true && !isCorrupted(error)
}
