import { joinRows } from '../engine/composite-rows.ts'
import type { Engine } from '../engine/engine.ts'
import { LaterWrites } from './later-writes.ts'
import type { LaterBatch, LaterEntry } from './later-writes.ts'
import type { LogEntry, WriteListener } from './log-entry.ts'
import { replayJournal } from './replay-journal.ts'
import { type Recipe, toWrittenRows } from './write-recipes.ts'

/** A call that is written whole. */
export type LaterCall = LogEntry & LaterEntry

interface LaterParts {
  /** Of new calls. */
  recipe: Recipe
  listener: WriteListener
  onWarning(message: string): void
}

/** Where the engine wants it: brings in what an earlier process left behind, and takes whole calls from then on. */
export async function openLaterCalls(
  engine: Engine,
  { recipe, listener, onWarning }: LaterParts,
): Promise<LaterWrites<LaterCall> | undefined> {
  const { deferral } = engine
  if (deferral === undefined) return undefined
  const { statement, typeId, columns, values } = recipe
  await replayJournal(engine, recipe, onWarning)
  const send = async ({ entries, parts }: LaterBatch<LaterCall>) => {
    const rows = joinRows(typeId, parts, entries.length)
    const found = await deferral.run(statement, values(rows, entries.length))
    engine.noteWrites(0)
    listener.written(toWrittenRows(recipe, entries, { found, matched: [] }))
  }
  const announce = () => engine.announce()
  return new LaterWrites({ deferral, columns, send, announce, onWarning })
}
