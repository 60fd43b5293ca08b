import type { Principal } from '../kernel/call.ts'
import type { DataKind } from '../kernel/tool-labels.ts'

/** A session has seen data of this kind, by this call. */
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

/** For a call whose tool reads labelled data: the flags it raises, and on which key. */
export interface FlowFacts {
  reads: readonly DataKind[]
  /** The call at the root of its chain, if that is another call. */
  rootId: string | undefined
}

/**
 * The flags of sessions. A flag keeps the call that first raised it until a person clears it; both
 * are events in the same transaction.
 */
export interface SessionFlagStore {
  /** In the order in which they were raised. */
  read(tenant: string, key: string): Promise<readonly SessionFlag[]>
  /** Durable when it resolves. Flags that are already raised do not change. */
  raise(raise: FlagRaise): Promise<void>
  /** Clears all flags. Returns them. */
  clear(tenant: string, key: string, by: Principal): Promise<SessionFlag[]>
}

/**
 * The key of flags: the session or, without one, the call at the root of a chain of nested calls.
 * The prefix distinguishes a call from a session with the same name.
 */
export function flowKey(of: { sessionId: string } | { rootId: string }): string {
  return 'sessionId' in of ? `session:${of.sessionId}` : `chain:${of.rootId}`
}
