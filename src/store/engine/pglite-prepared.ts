import { parse, protocol } from '@electric-sql/pglite'
import type { PGlite } from '@electric-sql/pglite'
import type { TextRow } from './engine.ts'
import { exchange, toRunMessage } from './pglite-wire.ts'
import { sqlState } from './store-error.ts'

const { serialize } = protocol
/** As many as a busy server says again and again; the least used gives way. */
const maxKept = 256
/**
 * A plan made for an empty table is a bad one for a full one, and the embedded engine never finds out
 * by itself. Measured: taking jobs by the plan of an idle moment took 6.8 ms in place of 1.8.
 */
const replanAfterMs = 200

export interface QueryResult {
  affectedRows?: number
  rows: Record<string, unknown>[]
}

/** What the engine said of a statement when it read it. */
interface Prepared {
  readonly name: string
  readonly parameterTypes: readonly number[]
  readonly columns: readonly Column[]
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

  async query(pglite: PGlite, text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const prepared = await this.#find(pglite, text)
    if (prepared === undefined) return pglite.query(text, [...values])
    try {
      return await run(pglite, prepared, values)
    } catch (error) {
      // The tables have changed since. Nothing was done, but a transaction around it is over.
      if (sqlState(error) !== '0A000') throw error
      this.#known.delete(text)
      await close(pglite, prepared)
      return pglite.query(text, [...values])
    }
  }

  async #find(pglite: PGlite, text: string): Promise<Prepared | undefined> {
    if (!isPreparable(text)) return undefined
    const isKnown = this.#known.has(text)
    const found = this.#known.get(text)
    const prepared = isKnown ? await this.#prepare(pglite, text, found) : undefined
    this.#known.delete(text)
    this.#known.set(text, prepared)
    if (this.#known.size > maxKept) await this.#forgetOne(pglite)
    return prepared
  }

  async #prepare(pglite: PGlite, text: string, before: Prepared | undefined): Promise<Prepared> {
    const plannedAt = performance.now()
    if (before !== undefined && plannedAt - before.plannedAt < replanAfterMs) return before
    const name = `text_${(this.#count += 1)}`
    const message = Buffer.concat([
      ...(before === undefined ? [] : [serialize.close({ type: 'S', name: before.name })]),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ])
    const { messages } = await pglite.execProtocol(message, { syncToFs: false })
    const described = messages.find((reply) => reply.name === 'rowDescription')
    return {
      name,
      parameterTypes: parse.parseDescribeStatementResults(messages),
      columns: (described as { fields?: readonly Column[] } | undefined)?.fields ?? [],
      plannedAt,
    }
  }

  async #forgetOne(pglite: PGlite): Promise<void> {
    const [[text, prepared] = ['', undefined]] = this.#known
    this.#known.delete(text)
    if (prepared !== undefined) await close(pglite, prepared)
  }
}

async function close(pglite: PGlite, { name }: Prepared): Promise<void> {
  await exchange(pglite, Buffer.concat([serialize.close({ type: 'S', name }), serialize.sync()]))
}

async function run(
  pglite: PGlite,
  { name, parameterTypes, columns }: Prepared,
  values: readonly unknown[],
): Promise<QueryResult> {
  const parameters = values.map((value, index) => {
    if (value === null || value === undefined) return null
    const toText = pglite.serializers[parameterTypes[index] ?? 0] ?? String
    return toText(value)
  })
  const { rows, tag } = await exchange(pglite, toRunMessage(name, parameters))
  return { rows: rows.map((row) => toRecord(row, columns, pglite)), ...toAffected(tag) }
}

function toRecord(
  row: TextRow,
  columns: readonly Column[],
  { parsers }: PGlite,
): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [index, { name, dataTypeID }] of columns.entries()) {
    const text = row[index] ?? null
    record[name] = text === null ? null : (parsers[dataTypeID]?.(text, dataTypeID) ?? text)
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
