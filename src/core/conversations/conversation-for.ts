import type { Caller, Completion } from '../kernel/call.ts'
import type { CallConversation } from '../kernel/context/call-conversation.ts'
import type { TurnUsage } from './conversation.ts'

/** A call, as far as what it has of its conversation depends on it. */
export interface ConversingCall {
  caller: Caller
  callId: string
  completion: Completion | undefined
  signal(): AbortSignal
  /** `isCounted`: budgets know of it already. */
  cost(units: number, isCounted: boolean): void
  /** Told what a model used for it. */
  used(usage: TurnUsage): void
}

/** Gives calls what they have of the conversation that they are made in. */
export type ConversationFor = (call: ConversingCall) => CallConversation
