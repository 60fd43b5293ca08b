import { renameSync, rmSync } from 'node:fs'
import { decodePart, encodeRows } from '../engine/composite-rows.ts'
import type { Columns, Field } from '../engine/composite-rows.ts'
import type { Engine } from '../engine/engine.ts'
import { readJournal } from '../engine/journal.ts'
import type { LeftPart } from '../engine/journal.ts'
import { isThere } from './is-there.ts'
import type { Recipe } from './write-recipes.ts'

/**
 * Brings in the calls that a process had written down when it was killed. What it had brought in
 * itself is there already.
 */
export async function replayJournal(
  engine: Engine,
  recipe: Recipe,
  onWarning: (message: string) => void,
): Promise<void> {
  if (engine.deferral === undefined) return
  for (const part of readJournal(engine.deferral.folder)) {
    const rows = readRows(part, recipe.columns)
    if (rows === undefined) {
      const aside = `${part.path}.unreadable`
      renameSync(part.path, aside)
      onWarning(`Calls in ${aside} could not be read and are not recorded`)
      continue
    }
    for (const row of rows) await insertUnlessThere(engine, recipe, row)
    rmSync(part.path)
  }
}

async function insertUnlessThere(engine: Engine, recipe: Recipe, row: Field[]): Promise<void> {
  const { statement, typeId, columns, values } = recipe
  try {
    await engine.run(statement, values(encodeRows(typeId, columns, [row]), 1))
  } catch (error) {
    if (!isThere(error)) throw error
  }
}

/** By name: another version may have written them. Undefined where they are no rows. */
function readRows({ head, body }: LeftPart, columns: Columns): Field[][] | undefined {
  if (body.length === 0) return []
  try {
    const written = JSON.parse(head) as Columns
    const places = columns.map(([name]) => written.findIndex(([other]) => other === name))
    return decodePart(written, body).map((row) => places.map((place) => row[place] ?? null))
  } catch {
    return undefined
  }
}
