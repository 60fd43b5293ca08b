import type { JobTable } from '../../../core/work-ports.ts'
import { encodeRows } from '../../engine/composite-rows.ts'
import type { RowField } from '../../engine/composite-rows.ts'
import type { Engine, EngineTransaction, TextRow } from '../../engine/engine.ts'
import { weighRow } from '../call-rows.ts'
import { openDeferredCalls } from '../journal/deferred-calls.ts'
import type { DeferredCall } from '../journal/deferred-calls.ts'
import type { LogEntry, LogWriteKind, WriteListener } from './log-entry.ts'
import { createWriteBatcher } from './write-batcher.ts'
import { type Recipe, readRecipes, toWrittenRows } from './write-recipes.ts'

export interface LogWriter {
  /** Resolves once committed, with the row the statement handed back for this key, if any. */
  write(kind: LogWriteKind, key: string, entry: LogEntry): Promise<TextRow | undefined>
  /** Whole calls, which need not be in their tables to be safe; only where that costs less. */
  writeLater?(call: DeferredCall): Promise<void>
  /** It is safe, and can't be looked at because the database did not take it yet. 32 hex digits. */
  isRefused(id: string): boolean
  /** The same within a transaction that somebody else commits. */
  writeIn(
    transaction: EngineTransaction,
    kind: LogWriteKind,
    entry: LogEntry,
  ): Promise<TextRow | undefined>
  /** Removes jobs whose calls are removed in the same transaction. */
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

type Run = EngineTransaction['run']

/** Puts every write of calls and events through one batcher and reports what was written. */
export async function createLogWriter(
  engine: Engine,
  { node, onWarning }: { node: string; onWarning: (message: string) => void },
  listener: WriteListener,
): Promise<LogWriter> {
  const recipes = await readRecipes(engine, node)
  let jobs: JobTable | undefined
  const runWithJobs = async (
    transaction: EngineTransaction,
    kind: LogWriteKind,
    entries: readonly LogEntry[],
  ) => {
    const result = await runRecipe(transaction.run, recipes[kind], entries)
    const found = kind === 'insert' ? undefined : result.matched
    if (jobs !== undefined) await writeJobs({ jobs, transaction }, entries, found)
    return result
  }
  const batcher = createWriteBatcher<LogEntry, TextRow | undefined>({
    lanes: engine.lanes,
    send: async (batchKind, entries) => {
      const kind = batchKind.replace(withWork, '') as LogWriteKind
      const { found, matched } = batchKind.endsWith(withWork)
        ? await engine.transact((transaction) => runWithJobs(transaction, kind, entries))
        : await runRecipe(engine.run, recipes[kind], entries)
      engine.noteWrites(recipes[kind].leavesDeadRows ? entries.length : 0)
      announce(engine, entries)
      listener.written(toWrittenRows(recipes[kind], entries, { found, matched }))
      return matched
    },
  })
  const write: LogWriter['write'] = (kind, key, entry) => {
    // Writes with a job take a transaction of several statements; the rest need only one.
    const batchKind = entry.job === undefined ? kind : `${kind}${withWork}`
    return batcher.write({ kind: batchKind, key, row: entry, bytes: weighRow(entry.row) })
  }
  const later = await openDeferredCalls(engine, { recipe: recipes.insert, listener, onWarning })
  return {
    write,
    ...(later && { writeLater: (call) => later.write(call) }),
    isRefused: (id) => later?.isRefused(id) ?? false,
    async writeIn(transaction, kind, entry) {
      const { matched } = await runWithJobs(transaction, kind, [entry])
      listener.note(entry.row[tenantIndex] as string)
      return matched[0]
    },
    async removeJobs(transaction, removed) {
      if (removed.length > 0) await jobs?.remove(removed, transaction)
    },
    connectJobs: (table) => (jobs = table),
    async flush() {
      for (const part of [later, batcher]) await part?.flush()
    },
    async close() {
      for (const part of [later, batcher]) await part?.close()
    },
  }
}

async function runRecipe(run: Run, recipe: Recipe, entries: readonly LogEntry[]) {
  const rows = entries.map(({ row }) => row)
  const encoded = encodeRows(recipe.typeId, recipe.columns, rows)
  const found = await run(recipe.statement, recipe.values(encoded, rows.length))
  return { found, matched: matchRows(rows, found) }
}

/** Notifies readers of events, and workers if there is work. */
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
    // A requeued call gets a new job: its old one may have been handed out.
    if (queue != null) removed.push({ queue, callId: job.callId })
  }
  if (removed.length > 0) await jobs.remove(removed, transaction)
  if (added.length > 0) await jobs.add(added, transaction)
}

function matchRows(
  rows: readonly (readonly RowField[])[],
  found: readonly TextRow[],
): (TextRow | undefined)[] {
  if (found.length === 0) return []
  const byId = new Map(found.map((row) => [(row[0] ?? '').replaceAll('-', ''), row]))
  return rows.map((row) => byId.get(row[idIndex] as string))
}
