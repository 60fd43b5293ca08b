import { protocol } from '@electric-sql/pglite'
import type { Transaction, PGlite } from '@electric-sql/pglite'
import { ToolError } from '../../core/errors.ts'
import type { EngineTransaction, Statement, TextRow, Value } from './engine.ts'
import { refuseInsideChange } from './open-change.ts'
import { PreparedTexts, type QueryResult, isPreparable } from './pglite-prepared.ts'
import { exchange, toRunMessage } from './pglite-wire.ts'
import { sqlState } from './store-error.ts'

const { serialize } = protocol
const reopenPauseMs = 1_000

/**
 * The one session that the embedded engine has. Everything goes through one queue here, because
 * prepared statements bypass PGlite's own: without it a hot write could land in the middle of
 * somebody's transaction and be rolled back with it after it was acknowledged.
 */
export class PgliteSession {
  readonly #open: () => Promise<PGlite>
  readonly #onWarning: (message: string) => void
  #pglite: PGlite | undefined
  #prepared = new Set<string>()
  #texts = new PreparedTexts()
  #tail: Promise<unknown> = Promise.resolve()
  #nextReopen = 0
  #bringIn: () => void = () => {}

  constructor(options: {
    pglite: PGlite
    reopen: () => Promise<PGlite>
    onWarning: (message: string) => void
  }) {
    this.#pglite = options.pglite
    this.#open = options.reopen
    this.#onWarning = options.onWarning
  }

  run(statement: Statement, values: readonly Value[]): Promise<TextRow[]> {
    return this.#exclusive((pglite) => this.#execute(pglite, statement, values))
  }

  /** Statements that have to be done before others look; nobody comes between them. */
  inTurn<T>(work: (run: EngineTransaction['run']) => Promise<T>): Promise<T> {
    return this.#inTurn((pglite) =>
      work((statement, values) => this.#execute(pglite, statement, values)),
    )
  }

  /** From now on this is called before everything else that is asked of the session. */
  onUse(bringIn: () => void): void {
    this.#bringIn = bringIn
  }

  query(text: string, values: unknown[] | undefined): Promise<QueryResult> {
    return this.#exclusive((pglite) => this.#texts.query(pglite, text, values))
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#exclusive((pglite) => pglite.transaction(work))
  }

  /** Hot statements and others in one transaction, without the round trips PGlite's own would add. */
  transact<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T> {
    return this.#exclusive(async (pglite) => {
      await this.#execute(pglite, begin, [])
      try {
        const result = await work({
          run: (statement, values) => this.#execute(pglite, statement, values),
          executeSql: (text, values) => this.#executeSql(pglite, text, values),
        })
        await this.#execute(pglite, commit, [])
        return result
      } catch (error) {
        await rollBack(pglite, error)
        throw error
      }
    })
  }

  /** One statement with values, or several without. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    return this.#exclusive(async (pglite) => {
      try {
        return await this.#executeSql(pglite, text, values)
      } catch (error) {
        // Several statements may have begun a transaction of their own.
        await rollBack(pglite, error)
        throw error
      }
    })
  }

  exec(text: string): Promise<unknown> {
    return this.#exclusive((pglite) => pglite.exec(text))
  }

  /** Closes it; afterwards every use fails. */
  async close(): Promise<void> {
    await this.#exclusive((pglite) => pglite.close())
    this.#pglite = undefined
    this.#nextReopen = Infinity
  }

  async #exclusive<T>(work: (pglite: PGlite) => Promise<T>): Promise<T> {
    refuseInsideChange()
    this.#bringIn()
    return this.#inTurn(work)
  }

  async #inTurn<T>(work: (pglite: PGlite) => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      const pglite = this.#pglite ?? (await this.#reopen())
      try {
        return await work(pglite)
      } catch (error) {
        this.#abandonWhenBroken(error)
        throw error
      }
    })
    this.#tail = result.catch(() => {})
    return result
  }

  async #execute(
    pglite: PGlite,
    statement: Statement,
    values: readonly Value[],
  ): Promise<TextRow[]> {
    if (!this.#prepared.has(statement.name)) {
      const parse = serialize.parse({ name: statement.name, text: statement.text })
      await exchange(pglite, Buffer.concat([parse, serialize.sync()]))
      this.#prepared.add(statement.name)
    }
    const message = toRunMessage(statement.name, values.map(toParameter))
    const { rows } = await exchange(pglite, message)
    return rows
  }

  async #executeSql(
    pglite: PGlite,
    text: string,
    values: unknown[] | undefined,
  ): Promise<{ rows: Record<string, unknown>[] }> {
    const isOne = isPreparable(text) || (values !== undefined && values.length > 0)
    if (isOne) return this.#texts.query(pglite, text, values)
    const results = await pglite.exec(text)
    return { rows: results.flatMap((result) => result.rows as Record<string, unknown>[]) }
  }

  /**
   * A full disk makes PostgreSQL panic in the middle of a write. The real one restarts itself; here
   * the broken instance must never be used or closed again, since either would write its broken
   * memory to disk. What was acknowledged is in the WAL, and opening anew recovers it.
   */
  #abandonWhenBroken(error: unknown): void {
    if (!isBroken(error) || this.#pglite === undefined) return
    this.#pglite = undefined
    this.#prepared = new Set()
    this.#texts = new PreparedTexts()
    this.#nextReopen = Date.now() + reopenPauseMs
    const reason = error instanceof Error ? error.message : String(error)
    this.#onWarning(`The embedded database broke off and will be reopened: ${reason}`)
  }

  async #reopen(): Promise<PGlite> {
    if (Date.now() < this.#nextReopen) {
      throw new ToolError(
        'store_unavailable',
        'The embedded database is closed or being reopened.',
        {
          fix: 'Try again in a few seconds; if it stays like this, check the disk and restart.',
        },
      )
    }
    this.#nextReopen = Date.now() + reopenPauseMs
    this.#pglite = await this.#open()
    this.#onWarning('The embedded database is open again.')
    return this.#pglite
  }
}

/** Nothing more is asked of an instance that broke: see `#abandonWhenBroken`. */
async function rollBack(pglite: PGlite, because: unknown): Promise<void> {
  if (!isBroken(because)) await pglite.exec('rollback').catch(() => {})
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
  return severity === 'PANIC' || severity === 'FATAL' || sqlState(error)?.startsWith('XX') === true
}

function toParameter(value: Value): string | null | Uint8Array {
  return typeof value === 'number' ? String(value) : value
}
