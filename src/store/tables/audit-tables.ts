/** A stretch of a tenant's feed, sealed: what is in it, and what came before it. */
export interface AuditSegmentsTable {
  tenant: string
  /** From 1, without gaps. */
  number: number
  /** Cursors as bytes, which sort as the feed does: after the first, up to and with the second. */
  from_cursor: Uint8Array
  to_cursor: Uint8Array
  rows: number
  events: number
  /** One SHA-256 per row; gone once all rows of the segment were removed. */
  marks: Uint8Array | null
  marks_digest: Uint8Array
  previous: Uint8Array
  digest: Uint8Array
  /** When it was sealed, the end of the chain was not as we had left it. */
  is_break: boolean
  sealed_ms: number
  /** The latest time of any event up to here: never goes back, so a time is found by it. */
  until_ms: number
  /** One bit per row that retention removed, with the proof that it was us. */
  removed: Uint8Array | null
  removed_proof: Uint8Array | null
  removed_rows: number
}

/** Where the chain of a tenant ends, with the proof that it was us who wrote it. */
export interface AuditHeadsTable {
  tenant: string
  number: number
  digest: Uint8Array
  /** The place of the last event in it, as the feed is ordered. */
  era: number
  xid: string
  stream: string
  last_seq: number
  until_ms: number
  proof: Uint8Array
}

/** The chain over the event feed. */
export interface AuditTables {
  audit_segments: AuditSegmentsTable
  audit_heads: AuditHeadsTable
}
