export interface FoundToolsTable {
  tenant: string
  session_id: string
  tool: string
  found_ms: number
}

/** Tools that conversations have found. */
export interface SearchTables {
  found_tools: FoundToolsTable
}
