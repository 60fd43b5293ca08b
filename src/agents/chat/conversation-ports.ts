import type { DecisionRequest } from '../../core/approvals/approval.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import type { TurnRunner } from '../turn/turn-runner.ts'

/** What talking needs beside turns. */
export interface ConversationPorts extends TurnPorts {
  runner: TurnRunner
  heartbeatMs: number
  /** Decides on an approval, by all the rules for it. */
  decide(caller: Caller, decision: DecisionRequest & { id: string }): Promise<unknown>
  /** Reads the conversations of others. */
  mayReadAll(caller: Caller): boolean
  /** Throws forbidden for whoever may not stop what others have begun. */
  assertMayManage(caller: Caller): void
}
