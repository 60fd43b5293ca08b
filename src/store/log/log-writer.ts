import { sql } from 'kysely'
import { encodeRows } from '../engine/composite-rows.ts'
import type { Columns, Field } from '../engine/composite-rows.ts'
import type { Engine, Statement, TextRow, Value } from '../engine/engine.ts'
import { callChangeColumns, newCallColumns, weighRow } from './call-rows.ts'
import { newChunkColumns } from './loose-events.ts'
import { createWriteBatcher } from './write-batcher.ts'
import { changeCalls, insertCalls, insertChunks, insertKeyedCalls } from './write-statements.ts'

/** The four hot writes. A batch is one statement, so it is one transaction and holds no lock while JavaScript runs. */
export type LogWriteKind = 'insert' | 'insertKeyed' | 'change' | 'chunk'

export interface LogWriter {
  /** Resolves once committed, with the row the statement handed back for this key, if any. */
  write(kind: LogWriteKind, key: string, row: readonly Field[]): Promise<TextRow | undefined>
  flush(): Promise<void>
  close(): Promise<void>
}

/** Every row type has its uuid in second place; results are matched to rows by it. */
const idIndex = 1

interface Recipe {
  statement: Statement
  columns: Columns
  typeId: number
  /** The statement's parameters, given the rows and how many there are. */
  values: (rows: Uint8Array, count: number) => Value[]
  leavesDeadRows: boolean
}

/** Puts every write of calls and events through one batcher. */
export async function createLogWriter(engine: Engine, node: string): Promise<LogWriter> {
  const recipes = await readRecipes(engine, node)
  const batcher = createWriteBatcher<readonly Field[], TextRow | undefined>({
    lanes: engine.lanes,
    send: async (kind, rows) => {
      const recipe = recipes[kind as LogWriteKind]
      const encoded = encodeRows(recipe.typeId, recipe.columns, rows)
      const found = await engine.run(recipe.statement, recipe.values(encoded, rows.length))
      engine.noteWrites(recipe.leavesDeadRows ? rows.length : 0)
      engine.announce()
      return matchRows(rows, found)
    },
  })
  return {
    write: (kind, key, row) => batcher.write({ kind, key, row, bytes: weighRow(row) }),
    flush: () => batcher.flush(),
    close: () => batcher.close(),
  }
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
  return {
    insert: { ...insert, statement: insertCalls },
    insertKeyed: { ...insert, statement: insertKeyedCalls },
    change: {
      statement: changeCalls,
      columns: callChangeColumns,
      typeId: types.call_change,
      values: (rows, count) => [rows, node, count],
      leavesDeadRows: true,
    },
    chunk: {
      statement: insertChunks,
      columns: newChunkColumns,
      typeId: types.new_chunk,
      values: (rows) => [rows],
      leavesDeadRows: false,
    },
  }
}
