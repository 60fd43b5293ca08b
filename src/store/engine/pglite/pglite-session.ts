import { protocol } from '@electric-sql/pglite'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { EngineTransaction, Statement, TextRow, Value } from '../engine.ts'
import { refuseInsideChange } from '../open-change.ts'
import type { Database } from './pglite-database.ts'
import { PreparedTexts, type QueryResult, isPreparable } from './wire/pglite-prepared.ts'
import { type Replies, exchange, execute, toRunMessage } from './wire/pglite-wire.ts'
import { isCorrupted, rolledBack, sqlState, toStoreError } from '../store-error.ts'

const { serialize } = protocol
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
  #database: Database | undefined
  #prepared = new Set<string>()
  #texts = new PreparedTexts()
  #tail: Promise<unknown> = Promise.resolve()
  #nextReopen = 0
  /** Why the last instance was given up. */
  #brokeBy: unknown
  #isDamageKnown = false
  #bringIn: () => void = () => {}

  constructor(options: {
    database: Database
    reopen: () => Promise<Database>
    onWarning: (message: string) => void
  }) {
    this.#database = options.database
    this.#open = options.reopen
    this.#onWarning = options.onWarning
  }

  run(statement: Statement, values: readonly Value[]): Promise<TextRow[]> {
    return this.#exclusive((database) => this.#execute(database, statement, values))
  }

  /** Statements that have to be done before others look; nobody comes between them. */
  inTurn<T>(work: (run: EngineTransaction['run']) => Promise<T>): Promise<T> {
    return this.#inTurn((database) =>
      work((statement, values) => this.#execute(database, statement, values)),
    )
  }

  /** Everything that was written before is in, and nothing else happens until `work` is done. */
  hold<T>(
    work: (parts: {
      run: EngineTransaction['run']
      exec(text: string): Promise<unknown>
    }) => Promise<T>,
  ): Promise<T> {
    return this.#exclusive((database) =>
      work({
        run: (statement, values) => this.#execute(database, statement, values),
        exec: (text) => execute(database, text),
      }),
    )
  }

  /** Hot statements have written rows. */
  noteChange(): void {
    this.#texts.noteChange()
  }

  /** From now on this is called before everything else that is asked of the session. */
  onUse(bringIn: () => void): void {
    this.#bringIn = bringIn
  }

  query(text: string, values?: readonly unknown[]): Promise<QueryResult> {
    return this.#exclusive((database) => this.#texts.query(database, text, values))
  }

  /** Hot statements and others, all or none. */
  transact<T>(work: (transaction: EngineTransaction & Queries) => Promise<T>): Promise<T> {
    return this.#exclusive(async (database) => {
      await this.#execute(database, begin, [])
      try {
        const result = await work({
          run: (statement, values) => this.#execute(database, statement, values),
          query: (text, values) => this.#texts.query(database, text, values),
          executeSql: (text, values) => this.#executeSql(database, text, values),
        })
        const { tag } = await this.#exchange(database, commit, [])
        if (tag === 'ROLLBACK') throw rolledBack()
        return result
      } catch (error) {
        await rollBack(database, error)
        throw error
      }
    })
  }

  /** One statement with values, or several without. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    return this.#exclusive(async (database) => {
      try {
        return await this.#executeSql(database, text, values)
      } catch (error) {
        // Several statements may have begun a transaction of their own.
        await rollBack(database, error)
        throw error
      }
    })
  }

  exec(text: string): Promise<unknown> {
    return this.#exclusive((database) => execute(database, text))
  }

  /** Closes it; afterwards every use fails. */
  async close(): Promise<void> {
    await this.#exclusive((database) => database.close())
    this.#database = undefined
    this.#brokeBy = undefined
    this.#nextReopen = Infinity
  }

  async #exclusive<T>(work: (database: Database) => Promise<T>): Promise<T> {
    refuseInsideChange()
    this.#bringIn()
    return this.#inTurn(work)
  }

  async #inTurn<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      const database = this.#database ?? (await this.#reopen())
      try {
        return await work(database)
      } catch (error) {
        this.#abandonWhenBroken(error)
        throw error
      }
    })
    this.#tail = result.catch(() => {})
    return result
  }

  async #execute(
    database: Database,
    statement: Statement,
    values: readonly Value[],
  ): Promise<TextRow[]> {
    return (await this.#exchange(database, statement, values)).rows
  }

  async #exchange(
    database: Database,
    { name, text }: Statement,
    values: readonly Value[],
  ): Promise<Replies> {
    if (!this.#prepared.has(name)) {
      const parse = serialize.parse({ name, text })
      await exchange(database, Buffer.concat([parse, serialize.sync()]))
      this.#prepared.add(name)
    }
    return exchange(database, toRunMessage(name, values.map(toParameter)))
  }

  async #executeSql(
    database: Database,
    text: string,
    values: unknown[] | undefined,
  ): Promise<{ rows: Record<string, unknown>[] }> {
    const isOne = isPreparable(text) || (values !== undefined && values.length > 0)
    if (isOne) return this.#texts.query(database, text, values)
    const results = await execute(database, text)
    return { rows: results.flatMap((result) => result.rows) }
  }

  /**
   * A full disk makes PostgreSQL panic in the middle of a write. The real one restarts itself; here
   * the broken instance must never be used or closed again, since either would write its broken
   * memory to disk. What was acknowledged is in the WAL, and opening anew recovers it. Pages that are
   * no pages may be in its memory alone, so it is opened anew for the first of them; for those that
   * are on disk that heals nothing, and everybody else would lose the database with each.
   */
  #abandonWhenBroken(error: unknown): void {
    const mayHeal = isCorrupted(error) && !this.#isDamageKnown
    if (!(isBroken(error) || mayHeal) || this.#database === undefined) return
    this.#database = undefined
    this.#brokeBy = error
    this.#prepared = new Set()
    this.#texts = new PreparedTexts()
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
    this.#database = await this.#open()
    this.#isDamageKnown ||= isCorrupted(this.#brokeBy)
    this.#onWarning('The embedded database is open again.')
    return this.#database
  }
}

/** Nothing more is asked of an instance that broke: see `#abandonWhenBroken`. */
async function rollBack(database: Database, because: unknown): Promise<void> {
  if (!isBroken(because)) await execute(database, 'rollback').catch(() => {})
}

function isBroken(error: unknown): boolean {
  return sqlState(error) === undefined ? isEngineCrash(error) : isPanic(error)
}

const begin: Statement = { name: 'begin', text: 'begin' }
const commit: Statement = { name: 'commit', text: 'commit' }

/** What WebAssembly and its runtime throw when the engine itself fell over. */
function isEngineCrash(error: unknown): boolean {
  return error instanceof Error && ['RuntimeError', 'ExitStatus', 'ErrnoError'].includes(error.name)
}

/** An error after which a real server would have restarted, or that only a damaged session reports. */
function isPanic(error: unknown): boolean {
  const { severity } = error as { severity?: string }
  if (severity === 'PANIC' || severity === 'FATAL') return true
  return sqlState(error)?.startsWith('XX') === true && !isCorrupted(error)
}

function toParameter(value: Value): string | null | Uint8Array {
  return typeof value === 'number' ? String(value) : value
}
