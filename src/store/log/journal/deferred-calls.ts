import { encodePart, joinRows } from '../../engine/composite-rows.ts'
import type { Engine, TextRow } from '../../engine/engine.ts'
import { isRowFault } from '../../engine/store-error.ts'
import { WriteBehind } from './write-behind.ts'
import type { DeferredBatch, DeferredEntry } from './write-behind.ts'
import type { LogEntry, WriteListener } from '../writing/log-entry.ts'
import { replayJournal } from './replay-journal.ts'
import { type Recipe, toWrittenRows } from '../writing/write-recipes.ts'

/** A call that is written whole. */
export type DeferredCall = LogEntry & DeferredEntry

interface WriteBehindParts {
  /** Of new calls. */
  recipe: Recipe
  listener: WriteListener
  onWarning(message: string): void
}

/** Where the engine wants it: brings in what an earlier process left behind, and takes whole calls from then on. */
export async function openDeferredCalls(
  engine: Engine,
  { recipe, listener, onWarning }: WriteBehindParts,
): Promise<WriteBehind<DeferredCall> | undefined> {
  const { deferral } = engine
  if (deferral === undefined) return undefined
  const { columns } = recipe
  await replayJournal(engine, recipe, onWarning)
  const note = (entries: readonly DeferredCall[], found: readonly TextRow[]) => {
    engine.noteWrites(0)
    listener.written(toWrittenRows(recipe, entries, { found, matched: [] }))
  }
  const send = (batch: DeferredBatch<DeferredCall>) =>
    deferral.inTurn((run) => insertBatch({ run, recipe, note }, batch))
  const announce = () => engine.announce()
  return new WriteBehind({ deferral, columns, send, announce, onWarning })
}

interface Insertion {
  run: Engine['run']
  recipe: Recipe
  note(entries: readonly DeferredCall[], found: readonly TextRow[]): void
}

/** Where one row is to blame, halves are tried apart until it stands alone. Returns those that were refused. */
async function insertBatch(
  insertion: Insertion,
  { entries, parts }: Pick<DeferredBatch<DeferredCall>, 'entries' | 'parts'>,
): Promise<DeferredCall[]> {
  const { run, recipe, note } = insertion
  const { statement, typeId, columns, values } = recipe
  try {
    const rows = joinRows(typeId, parts, entries.length)
    note(entries, await run(statement, values(rows, entries.length)))
    return []
  } catch (error) {
    if (!isRowFault(error)) throw error
    if (entries.length === 1) return [...entries]
    const middle = entries.length >> 1
    const refused: DeferredCall[] = []
    for (const half of [entries.slice(0, middle), entries.slice(middle)]) {
      const rows = half.map(({ row }) => row)
      const part = { entries: half, parts: [encodePart(columns, rows)] }
      refused.push(...(await insertBatch(insertion, part)))
    }
    return refused
  }
}
