import type { WorkOrder } from '../../../core/work-ports.ts'
import type { RowField } from '../../engine/composite-rows.ts'
import type { EventNote, WrittenRow } from './written-row.ts'

/** The hot writes. A batch is one statement, so it is one transaction and holds no lock while JavaScript runs. */
export type LogWriteKind = 'insert' | 'insertKeyed' | 'insertGrouped' | 'change' | 'chunk'

/** The change to a call's job in the transaction that changes the call. */
export type JobChange =
  | { add: WorkOrder; tenant: string; callId: string }
  | { remove: true; callId: string }

/** One write, with what it means for the call's job. */
export interface LogEntry {
  row: readonly RowField[]
  job?: JobChange
  /** Facts about the events in the row; without them, the sealer reads them back. */
  note?: EventNote
}

/** Receives the rows that were written, to seal them. */
export interface WriteListener {
  /** Events of this tenant will be there once somebody commits them. */
  note(tenant: string): void
  /** These rows are committed. */
  written(rows: readonly WrittenRow[]): void
}
