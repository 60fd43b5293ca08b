import type { DecisionRequest } from '../../core/approvals/approval.ts'
import type { Caller } from '../../core/call.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import type { TurnRunner } from '../turn/turn-runner.ts'

/** What talking needs beside turns. */
export interface ConversationPorts extends TurnPorts {
  runner: TurnRunner
  heartbeatMs: number
  /** One person's word on one approval, by all the rules there are for it. */
  decide(caller: Caller, id: string, request: DecisionRequest): Promise<unknown>
  /** Reads the conversations of others. */
  mayReadAll(caller: Caller): boolean
  /** Throws forbidden for whoever may not stop what others have begun. */
  assertMayManage(caller: Caller): void
}
