import type { DecisionRequest } from '../../core/approvals/approval.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import type { TurnRunner } from '../turn/turn-runner.ts'

/** Dependencies of chats besides turns. */
export interface ConversationPorts extends TurnPorts {
  runner: TurnRunner
  heartbeatMs: number
  /** Decides on an approval, by all the rules for it. */
  decide(caller: Caller, decision: DecisionRequest & { id: string }): Promise<unknown>
  /** Reads the conversations of others. */
  mayReadAll(caller: Caller): boolean
  /** Throws forbidden for callers who may not stop the work of others. */
  assertMayManage(caller: Caller): void
}
