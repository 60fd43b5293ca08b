import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface SessionFlagsTable {
  tenant: string
  /** `session:<id>` or `chain:<call id>`, see `flowKey`. */
  session_key: string
  kind: string
  call_id: string
  tool: string
  raised_ms: number
}

/** Flags of sessions. */
export interface SessionFlagTables {
  session_flags: SessionFlagsTable
}

export const sessionFlagTables: readonly TableSpec<keyof SessionFlagTables>[] = [
  { name: 'session_flags', key: ['tenant', 'session_key', 'kind'], page: 1_000 },
]
