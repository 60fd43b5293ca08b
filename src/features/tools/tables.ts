import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface FoundToolsTable {
  tenant: string
  session_id: string
  tool: string
  found_ms: number
}

/** Tools that conversations have found. */
export interface FoundToolTables {
  found_tools: FoundToolsTable
}

export const foundToolTables: readonly TableSpec<keyof FoundToolTables>[] = [
  { name: 'found_tools', key: ['tenant', 'session_id', 'tool'], page: 1_000 },
]
