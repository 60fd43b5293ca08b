import { sql } from 'kysely'
import { encodeRows } from '../engine/composite-rows.ts'
import type { Columns, Field } from '../engine/composite-rows.ts'
import type { JobTable, WorkOrder } from '../../core/work-ports.ts'
import type { Engine, EngineTransaction, Statement, TextRow, Value } from '../engine/engine.ts'
import { callChangeColumns, newCallColumns, weighRow } from './call-rows.ts'
import { newChunkColumns } from './loose-events.ts'
import { createWriteBatcher } from './write-batcher.ts'
import { fromCallChange, fromNewCall, fromNewChunk } from './written-row.ts'
import type { EventNote, WrittenRow } from './written-row.ts'
import {
  changeCalls,
  insertCalls,
  insertChunks,
  insertGroupedCalls,
  insertKeyedCalls,
} from './write-statements.ts'

/** The hot writes. A batch is one statement, so it is one transaction and holds no lock while JavaScript runs. */
export type LogWriteKind = 'insert' | 'insertKeyed' | 'insertGrouped' | 'change' | 'chunk'

/** What happens to a call's job in the transaction that changes the call. */
export type JobChange =
  | { add: WorkOrder; tenant: string; callId: string }
  | { remove: true; callId: string }

/** One write, with what it means for the call's job. */
export interface LogEntry {
  row: readonly Field[]
  job?: JobChange
  /** Of the events in the row; without, whoever seals them reads them back. */
  note?: EventNote
}

/** Told of what was written: to seal it. */
export interface WriteListener {
  /** Events of this tenant will be there once somebody commits them. */
  note(tenant: string): void
  /** These rows are committed. */
  written(rows: readonly WrittenRow[]): void
}

export interface LogWriter {
  /** Resolves once committed, with the row the statement handed back for this key, if any. */
  write(kind: LogWriteKind, key: string, entry: LogEntry): Promise<TextRow | undefined>
  /** The same within a transaction that somebody else commits. */
  writeIn(
    transaction: EngineTransaction,
    kind: LogWriteKind,
    entry: LogEntry,
  ): Promise<TextRow | undefined>
  /** Takes away jobs whose calls go in the same transaction. */
  removeJobs(
    transaction: EngineTransaction,
    removed: Parameters<JobTable['remove']>[0],
  ): Promise<void>
  /** From now on jobs are written here. Until then calls are queued without. */
  connectJobs(jobs: JobTable): void
  flush(): Promise<void>
  close(): Promise<void>
}

/** Every row type begins with the tenant. */
const tenantIndex = 0
/** Every row type has its uuid in second place; results are matched to rows by it. */
const idIndex = 1
/** Marks batches whose jobs are written along. */
const withWork = '+work'
/** Where a changed call's row names its queue. */
const queueIndex = 2

interface Recipe {
  statement: Statement
  columns: Columns
  typeId: number
  /** The statement's parameters, given the rows and how many there are. */
  values: (rows: Uint8Array, count: number) => Value[]
  leavesDeadRows: boolean
  /** The row of events that an entry made, given all that the statement handed back and the row of it that is about the entry. */
  toWritten(entry: NotedEntry, found: readonly TextRow[], own?: TextRow): WrittenRow | undefined
}

type NotedEntry = LogEntry & { note: EventNote }

type Run = EngineTransaction['run']

/** Puts every write of calls and events through one batcher, and tells what was written. */
export async function createLogWriter(
  engine: Engine,
  node: string,
  listener: WriteListener,
): Promise<LogWriter> {
  const recipes = await readRecipes(engine, node)
  let jobs: JobTable | undefined

  const runRecipe = async (run: Run, kind: LogWriteKind, entries: readonly LogEntry[]) => {
    const recipe = recipes[kind]
    const rows = entries.map(({ row }) => row)
    const encoded = encodeRows(recipe.typeId, recipe.columns, rows)
    const found = await run(recipe.statement, recipe.values(encoded, rows.length))
    return { found, matched: matchRows(rows, found) }
  }
  const runWithJobs = async (
    transaction: EngineTransaction,
    kind: LogWriteKind,
    entries: readonly LogEntry[],
  ) => {
    const result = await runRecipe(transaction.run, kind, entries)
    const found = kind === 'insert' ? undefined : result.matched
    if (jobs !== undefined) await writeJobs({ jobs, transaction }, entries, found)
    return result
  }
  const batcher = createWriteBatcher<LogEntry, TextRow | undefined>({
    lanes: engine.lanes,
    send: async (batchKind, entries) => {
      const isWork = batchKind.endsWith(withWork)
      const kind = batchKind.replace(withWork, '') as LogWriteKind
      const { found, matched } = isWork
        ? await engine.transact((transaction) => runWithJobs(transaction, kind, entries))
        : await runRecipe((statement, values) => engine.run(statement, values), kind, entries)
      engine.noteWrites(recipes[kind].leavesDeadRows ? entries.length : 0)
      announce(engine, entries)
      listener.written(toWrittenRows(recipes[kind], entries, { found, matched }))
      return matched
    },
  })
  return {
    write: (kind, key, entry) =>
      batcher.write({
        // What has a job takes a transaction of several statements; the rest needs only one.
        kind: entry.job === undefined ? kind : `${kind}${withWork}`,
        key,
        row: entry,
        bytes: weighRow(entry.row),
      }),
    async writeIn(transaction, kind, entry) {
      const { matched } = await runWithJobs(transaction, kind, [entry])
      listener.note(entry.row[tenantIndex] as string)
      return matched[0]
    },
    async removeJobs(transaction, removed) {
      if (removed.length > 0) await jobs?.remove(removed, transaction)
    },
    connectJobs: (table) => (jobs = table),
    flush: () => batcher.flush(),
    close: () => batcher.close(),
  }
}

function toWrittenRows(
  { toWritten }: Recipe,
  entries: readonly LogEntry[],
  { found, matched }: { found: readonly TextRow[]; matched: readonly (TextRow | undefined)[] },
): WrittenRow[] {
  const rows: WrittenRow[] = []
  entries.forEach(({ row, note }, index) => {
    const written = note && toWritten({ row, note }, found, matched[index])
    if (written !== undefined && written.types !== '') rows.push(written)
  })
  return rows
}

/** Whoever reads events hears of it, and whoever runs work where there is some. */
function announce(engine: Engine, entries: readonly LogEntry[]): void {
  engine.announce()
  if (entries.some(({ job }) => job !== undefined && 'add' in job)) engine.announce('jobs')
}

/** `found` is left out where every row was written; else only rows that were are followed by their jobs. */
async function writeJobs(
  { jobs, transaction }: { jobs: JobTable; transaction: EngineTransaction },
  entries: readonly LogEntry[],
  found: readonly (TextRow | undefined)[] | undefined,
): Promise<void> {
  const added: Parameters<JobTable['add']>[0][number][] = []
  const removed: Parameters<JobTable['remove']>[0][number][] = []
  for (const [index, { job }] of entries.entries()) {
    const row = found?.[index]
    if (job === undefined || (found !== undefined && row === undefined)) continue
    const queue = row?.[queueIndex]
    if ('add' in job) added.push({ ...job.add, tenant: job.tenant, callId: job.callId })
    // What is put back is a new job: its old one may have been handed out.
    if (queue != null) removed.push({ queue, callId: job.callId })
  }
  if (removed.length > 0) await jobs.remove(removed, transaction)
  if (added.length > 0) await jobs.add(added, transaction)
}

function matchRows(
  rows: readonly (readonly Field[])[],
  found: readonly TextRow[],
): (TextRow | undefined)[] {
  if (found.length === 0) return []
  const byId = new Map(found.map((row) => [(row[0] ?? '').replaceAll('-', ''), row]))
  return rows.map((row) => byId.get(row[idIndex] as string))
}

/** The object ids of our row types differ from database to database. */
async function readRecipes(engine: Engine, node: string): Promise<Record<LogWriteKind, Recipe>> {
  const { rows } = await sql<{ new_call: number; call_change: number; new_chunk: number }>`
    select 'new_call'::regtype::oid::int8 as new_call,
      'call_change'::regtype::oid::int8 as call_change,
      'new_chunk'::regtype::oid::int8 as new_chunk`.execute(engine.db)
  const [types] = rows
  if (types === undefined) throw new Error('the row types of the log are missing')
  const insert = {
    columns: newCallColumns,
    typeId: types.new_call,
    values: (rows: Uint8Array) => [rows, node],
    leavesDeadRows: false,
  }
  const insertSome: Omit<Recipe, 'statement'> = {
    ...insert,
    toWritten: ({ row, note }, _found, own) => own && fromNewCall(row, note, own[1] ?? ''),
  }
  return {
    insert: {
      ...insert,
      statement: insertCalls,
      toWritten: ({ row, note }, found) => fromNewCall(row, note, found[0]?.[0] ?? ''),
    },
    insertKeyed: { ...insertSome, statement: insertKeyedCalls },
    insertGrouped: { ...insertSome, statement: insertGroupedCalls, leavesDeadRows: true },
    change: {
      statement: changeCalls,
      columns: callChangeColumns,
      typeId: types.call_change,
      values: (rows, count) => [rows, node, count],
      leavesDeadRows: true,
      toWritten: ({ row, note }, _found, own) => own && fromCallChange(row, note, own),
    },
    chunk: {
      statement: insertChunks,
      columns: newChunkColumns,
      typeId: types.new_chunk,
      values: (rows) => [rows],
      leavesDeadRows: false,
      toWritten: ({ row, note }, found) => fromNewChunk(row, note, found[0]?.[0] ?? ''),
    },
  }
}
