import { renameSync, rmSync } from 'node:fs'
import { decodePart, encodeRows } from '../../engine/composite-rows.ts'
import type { Columns, RowField } from '../../engine/composite-rows.ts'
import type { Engine } from '../../engine/engine.ts'
import { readJournal } from './journal.ts'
import type { LeftPart } from './journal.ts'
import { isRowFault } from '../../engine/store-error.ts'
import { isThere } from '../is-there.ts'
import type { Recipe } from '../writing/write-recipes.ts'

/**
 * Replays calls from the journal of a killed process, skipping those it had already recorded.
 * Entries that cannot be read or are refused are moved to another file, so that one bad row does
 * not keep a server from starting.
 */
export async function replayJournal(
  engine: Engine,
  recipe: Recipe,
  onWarning: (message: string) => void,
): Promise<void> {
  if (engine.deferral === undefined) return
  for (const part of readJournal(engine.deferral.folder)) {
    const { rows, isDamaged } = readRows(part, recipe.columns)
    let refused = 0
    for (const row of rows) if (!(await insertUnlessThere(engine, recipe, row))) refused += 1
    if (!isDamaged && refused === 0) {
      rmSync(part.path)
      continue
    }
    const aside = `${part.path}.unrecorded-${Date.now()}`
    renameSync(part.path, aside)
    const what = isDamaged ? 'Calls' : `${refused} calls`
    onWarning(`${what} in ${aside} could not be recorded`)
  }
}

/** False when the database will never take it. */
async function insertUnlessThere(
  engine: Engine,
  recipe: Recipe,
  row: RowField[],
): Promise<boolean> {
  const { statement, typeId, columns, values } = recipe
  try {
    await engine.run(statement, values(encodeRows(typeId, columns, [row]), 1))
    return true
  } catch (error) {
    if (isThere(error)) return true
    if (isRowFault(error)) return false
    throw error
  }
}

/** By name: another version may have written them. */
function readRows({ head, body }: LeftPart, columns: Columns): ReturnType<typeof decodePart> {
  if (body.length === 0) return { rows: [], isDamaged: false }
  try {
    const written = JSON.parse(head) as Columns
    const places = columns.map(([name]) => written.findIndex(([other]) => other === name))
    const { rows, isDamaged } = decodePart(written, body)
    return { rows: rows.map((row) => places.map((place) => row[place] ?? null)), isDamaged }
  } catch {
    return { rows: [], isDamaged: true }
  }
}
