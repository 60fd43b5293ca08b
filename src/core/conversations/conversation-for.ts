import type { Caller, Completion } from '../kernel/call.ts'
import type { CallConversation } from '../kernel/context/call-conversation.ts'
import type { TurnUsage } from './conversation.ts'

/** The call, as far as its access to the conversation depends on it. */
export interface ConversingCall {
  caller: Caller
  callId: string
  completion: Completion | undefined
  signal(): AbortSignal
  /** `isCounted`: already counted by the budgets. */
  cost(units: number, isCounted: boolean): void
  /** Called with the usage of a model. */
  used(usage: TurnUsage): void
}

/** Gives a call access to its conversation. */
export type ConversationFor = (call: ConversingCall) => CallConversation
