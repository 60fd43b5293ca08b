import { sql, type RawBuilder } from 'kysely'
import { toCallId } from '../log/call-id.ts'
import type { Tables } from '../tables.ts'

/** Everything that is sealed under the master keys. A rotation moves all of it. */
export interface SealedRows {
  tables: readonly SealedTable[]
  inputs: readonly SealedColumn[]
}

/** A row with a key of its own, which is wrapped under the master key `key_id`. */
export interface SealedRow {
  id: string
  key_id: string
  wrapped_key: Uint8Array
}

export interface SealedTable {
  table: keyof Tables
  /** A row opens with this alone, so in no other place. */
  toBinding(row: SealedRow): readonly string[]
}

/** Holds JSON, some of it with `sealedInput`. */
export interface SealedColumn {
  table: keyof Tables
  column: string
  /** The column with what it is bound to, and how that is written. */
  boundTo: 'id' | 'schedule_id'
  toId(uuid: string): string
  isOpen: RawBuilder<unknown>
}

/** Settled calls never run again, and nobody reads their sealed inputs. */
export const sealedCalls: SealedColumn = {
  table: 'calls',
  column: 'facts',
  boundTo: 'id',
  toId: toCallId,
  isOpen: sql`settled_ms is null`,
}
