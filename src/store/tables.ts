import type { Generated } from 'kysely'
import type { FeatureTables } from '../features/declarations.ts'
import type { AuditTables } from './tables/audit-tables.ts'
import type { RuleTables } from './tables/rules-tables.ts'

/** Columns that hold JSON are `text`: it keeps `\u0000` and lone surrogates, which jsonb refuses, and costs less to write. */
type JsonText = string

export interface CallsTable {
  tenant: string
  id: string
  tool: string
  status: string
  agent: string | null
  /** `kind:id` */
  principal: string
  session_id: string | null
  parent_id: string | null
  attempt: number
  last_seq: number
  /** The node that owns the call; null when that node gave it up. */
  node: string | null
  /** Taken over from a dead node, and not started again since. */
  is_claimed: Generated<boolean>
  cancel_requested: Generated<boolean>
  input: JsonText
  /**
   * Never searched: runtime, execution, isRepeatable, timeoutMs, decision, permissions, parents.
   */
  facts: JsonText
  /** The result: output, error, artifact, warnings. */
  outcome: JsonText | null
  requested_ms: number
  started_ms: number | null
  settled_ms: number | null
  idempotency_key: string | null
  input_hash: Uint8Array | null
  xid: Generated<string>
  /** Where its job is, of calls that are run from a queue. */
  queue: Generated<string | null>
  waiting_for: Generated<string | null>
  /** SHA-256 of the completion token of the current attempt, in hex. */
  token_hash: Generated<string | null>
  deadline_ms: Generated<number | null>
  group_id: Generated<string | null>
  has_waited: Generated<boolean>
  is_approved: Generated<boolean>
  /** How often a node died over it. */
  takeovers: Generated<number>
  /** How often it failed and was put back to try again. */
  failures: Generated<number>
  tool_version: Generated<string | null>
  /** The weight of all calls it made as steps and that have settled. */
  wakes: Generated<number>
  /** For a call that waits for any of its steps: it runs again once `wakes` reaches this. */
  wake_at: Generated<number | null>
  /** For a step that its parent may wait for: what it adds to the `wakes` of its parent. */
  parent_wake: Generated<number | null>
}

export interface GroupsTable {
  tenant: string
  id: string
  continuation: JsonText
  is_sealed: Generated<boolean>
  members: Generated<number>
  pending: Generated<number>
  failed: Generated<number>
  created_ms: number
  deadline_ms: number | null
  settled_ms: Generated<number | null>
  settled_by: Generated<string | null>
  continued_ms: Generated<number | null>
  attempt: Generated<number>
  lease_ms: Generated<number | null>
}

export interface EventsTable {
  tenant: string
  era: Generated<number>
  xid: Generated<string>
  stream: string
  first_seq: number
  last_seq: number
  is_call: boolean
  session_id: string | null
  agent: string | null
  principal: string
  types: string
  items: JsonText
}

export interface ArtifactsTable {
  id: string
  tenant: string
  call_id: string
  media_type: string
  created_ms: number
  /** Null while it is being written. */
  bytes: number | null
}

export interface ArtifactPiecesTable {
  artifact_id: string
  position: number
  content: Uint8Array
}

export interface NodesTable {
  id: string
  started_at: Generated<Date>
  seen_at: Generated<Date>
  tools: string | null
  /** Master keys that the node holds, as a JSON list; null until announced. */
  key_ids: Generated<JsonText | null>
}

/** Single values: the event era, the sealed pepper, a check value per master key. */
export interface StoreStateTable {
  name: string
  value: string
}

/** The schema, as the last migration leaves it. */
export interface Tables extends RuleTables, AuditTables, FeatureTables {
  calls: CallsTable
  events: EventsTable
  groups: GroupsTable
  artifacts: ArtifactsTable
  artifact_pieces: ArtifactPiecesTable
  nodes: NodesTable
  store_state: StoreStateTable
}
