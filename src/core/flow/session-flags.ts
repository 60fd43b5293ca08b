import type { Principal } from '../kernel/call.ts'
import type { DataKind } from '../kernel/tool-labels.ts'

/** A session has seen data of this kind, and by which call. */
export interface SessionFlag {
  kind: DataKind
  callId: string
  tool: string
  raisedAt: string
}

/** A call of a tool that reads labelled data is about to run. */
export interface FlagRaise {
  tenant: string
  /** See `flowKey`. */
  key: string
  kinds: readonly DataKind[]
  callId: string
  tool: string
  by: Principal
  sessionId: string | undefined
  agent: string | undefined
  at: number
}

/** Of a call whose tool reads labelled data: what it raises, and on what. */
export interface FlowFacts {
  reads: readonly DataKind[]
  /** The call at the root of its chain, where that is another. */
  rootId: string | undefined
}

/**
 * What sessions have seen. A flag stays with the call that raised it first, until a person takes it
 * off; both are events in the same transaction.
 */
export interface SessionFlagStore {
  /** In the order in which they were raised. */
  read(tenant: string, key: string): Promise<readonly SessionFlag[]>
  /** Durable when it resolves. What was raised before stays as it was. */
  raise(raise: FlagRaise): Promise<void>
  /** Takes all flags off. Returns what there was. */
  clear(tenant: string, key: string, by: Principal): Promise<SessionFlag[]>
}

/**
 * What flags hang on: the session or, without one, the call at the root of a chain of nested calls.
 * The prefix keeps a session that somebody named like a call apart from that call.
 */
export function flowKey(of: { sessionId: string } | { rootId: string }): string {
  return 'sessionId' in of ? `session:${of.sessionId}` : `chain:${of.rootId}`
}
