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
export interface FlowTables {
  session_flags: SessionFlagsTable
}
