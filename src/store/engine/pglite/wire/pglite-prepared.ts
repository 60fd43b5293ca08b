import { parse, protocol } from '@electric-sql/pglite'
import type { TextRow } from '../../engine.ts'
import type { Database } from '../pglite-database.ts'
import { toText, toValue } from './pglite-values.ts'
import { converse, exchange, toRunMessage } from './pglite-wire.ts'
import { sqlState } from '../../store-error.ts'
import type { QueryResult } from './wire.ts'

const { serialize } = protocol
/** About as many distinct statements as a busy server repeats; the least used is evicted. */
const maxKept = 256
/**
 * A plan made for an empty table is a bad one for a full one, and the embedded engine never finds out
 * by itself. Measured: taking jobs by the plan of an idle moment took 6.8 ms in place of 1.8. Where
 * nothing was written since, it is still the right one: an idle server plans nothing.
 */
const replanAfterMs = 200

/** The engine's description of a statement. */
interface Description {
  readonly name: string
  readonly parameterTypes: readonly number[]
  readonly columns: readonly Column[]
}

interface Prepared extends Description {
  readonly plannedAt: number
}

interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/**
 * Statements that come again are read and planned once. PGlite's own `query` does both every time,
 * in six round trips through WebAssembly: for the queue's statements that was half of their time.
 */
export class PreparedTexts {
  /** By text, the least used first. Without a value: seen once, so it may be worth it. */
  readonly #known = new Map<string, Prepared | undefined>()
  #count = 0
  #changedAt: number
  readonly #now: () => number

  /** `now` is in milliseconds, from any beginning. */
  constructor(now = () => performance.now()) {
    this.#now = now
    this.#changedAt = now()
  }

  /** Rows were written by somebody else: plans that were made until now may be bad ones. */
  noteChange(): void {
    this.#changedAt = this.#now()
  }

  async query(
    database: Database,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult> {
    const result = await this.#run(database, text, values)
    if (result.affectedRows !== undefined && result.affectedRows > 0) this.noteChange()
    return result
  }

  async #run(database: Database, text: string, values: readonly unknown[]): Promise<QueryResult> {
    const prepared = await this.#find(database, text)
    if (prepared === undefined) return runOnce(database, text, values)
    try {
      return await run(database, prepared, values)
    } catch (error) {
      // The tables have changed since. Nothing was done, but a transaction around it is over.
      if (sqlState(error) !== '0A000') throw error
      this.#known.delete(text)
      await close(database, prepared)
      return runOnce(database, text, values)
    }
  }

  async #find(database: Database, text: string): Promise<Prepared | undefined> {
    if (!isPreparable(text)) return undefined
    const isKnown = this.#known.has(text)
    const found = this.#known.get(text)
    const prepared = isKnown ? await this.#prepare(database, text, found) : undefined
    this.#known.delete(text)
    this.#known.set(text, prepared)
    if (this.#known.size > maxKept) await this.#forgetOne(database)
    return prepared
  }

  async #prepare(
    database: Database,
    text: string,
    before: Prepared | undefined,
  ): Promise<Prepared> {
    if (before !== undefined && !this.#isOutdated(before)) return before
    const name = `text_${(this.#count += 1)}`
    const plannedAt = this.#now()
    return { ...(await describe(database, { name, text, instead: before })), plannedAt }
  }

  #isOutdated({ plannedAt }: Prepared): boolean {
    return plannedAt <= this.#changedAt && this.#now() - plannedAt >= replanAfterMs
  }

  async #forgetOne(database: Database): Promise<void> {
    const [[text, prepared] = ['', undefined]] = this.#known
    this.#known.delete(text)
    if (prepared !== undefined) await close(database, prepared)
  }
}

async function describe(
  database: Database,
  { name, text, instead }: { name: string; text: string; instead?: Prepared | undefined },
): Promise<Description> {
  const message = Buffer.concat([
    ...(instead === undefined ? [] : [serialize.close({ type: 'S', name: instead.name })]),
    serialize.parse({ name, text }),
    serialize.describe({ type: 'S', name }),
    serialize.sync(),
  ])
  const messages = await converse(database, message)
  const described = messages.find((reply) => reply.name === 'rowDescription')
  return {
    name,
    parameterTypes: parse.parseDescribeStatementResults(messages),
    columns: (described as { fields?: readonly Column[] } | undefined)?.fields ?? [],
  }
}

async function close(database: Database, { name }: Prepared): Promise<void> {
  await exchange(database, Buffer.concat([serialize.close({ type: 'S', name }), serialize.sync()]))
}

/** Under no name, which the next one takes over. */
async function runOnce(
  database: Database,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult> {
  return run(database, await describe(database, { name: '', text }), values)
}

async function run(
  database: Database,
  { name, parameterTypes, columns }: Description,
  values: readonly unknown[],
): Promise<QueryResult> {
  const parameters = values.map((value, index) => toText(value, parameterTypes[index]))
  const { rows, tag } = await exchange(database, toRunMessage(name, parameters))
  return { rows: rows.map((row) => toRecord(row, columns)), ...toAffected(tag) }
}

function toRecord(row: TextRow, columns: readonly Column[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [index, { name, dataTypeID }] of columns.entries()) {
    record[name] = toValue(row[index] ?? null, dataTypeID)
  }
  return record
}

function toAffected(tag: string): { affectedRows?: number } {
  const [, count] = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag) ?? []
  return count === undefined ? {} : { affectedRows: Number(count) }
}

/** One statement that reads or changes rows. Everything else comes once, or is several. */
export function isPreparable(text: string): boolean {
  return /^\s*(?:select|with|insert|update|delete)\b/i.test(text) && !text.includes(';')
}
