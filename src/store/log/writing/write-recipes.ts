import { sql } from 'kysely'
import type { Columns } from '../../engine/composite-rows.ts'
import type { Engine, Statement, TextRow, Value } from '../../engine/engine.ts'
import { callChangeColumns, newCallColumns } from '../call-rows.ts'
import type { LogEntry, LogWriteKind } from './log-entry.ts'
import { newChunkColumns } from '../events/loose-events.ts'
import {
  changeCalls,
  insertCalls,
  insertChunks,
  insertGroupedCalls,
  insertKeyedCalls,
} from './write-statements.ts'
import { fromCallChange, fromNewCall, fromNewChunk } from './written-row.ts'
import type { EventNote, WrittenRow } from './written-row.ts'

/** How writes of one kind are made. */
export interface Recipe {
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

/** The object ids of our row types differ from database to database. */
export async function readRecipes(
  engine: Engine,
  node: string,
): Promise<Record<LogWriteKind, Recipe>> {
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

/** The committed ones of these, for the sealer. */
export function toWrittenRows(
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
