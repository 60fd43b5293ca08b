import type { Turn, TurnUsage } from '../../core/conversations/conversation.ts'
import type { TurnStep } from '../../core/conversations/conversation-store.ts'
import type { ChunkLog } from './chunk-log.ts'
import { toJson, type Part } from './ui-parts.ts'

/** A turn that this node works on. */
export interface TurnWork {
  turn: Turn
  /** Of the message that it writes; changed by what is written to the log. */
  parts: Part[]
  log: ChunkLog
  /** The turn is to end: its calls are called off. */
  signal: AbortSignal
  /** This node is: what has begun may end, and the rest is left to others. */
  leaving: AbortSignal
}

/** A turn as its writes are fenced. */
export function leaseOf({ tenant, id, attempt }: Turn) {
  return { tenant, turnId: id, attempt }
}

/** A turn as it stands. */
export function stepOf({ turn, parts }: Pick<TurnWork, 'turn' | 'parts'>): TurnStep {
  const { step, usage, model, messageId } = turn
  const stored = toJson(parts) as Part[] as TurnStep['message']['parts']
  const message = { id: messageId, role: 'assistant' as const, parts: stored }
  return { step, message, usage, ...(model !== undefined && { model }) }
}

export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return {
    ...one,
    modelCalls: one.modelCalls + other.modelCalls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    cost: one.cost + other.cost,
  }
}

/** Usage as others see it. */
export function shownUsage(usage: TurnUsage): TurnUsage {
  const { modelCalls, inputTokens, outputTokens, cachedTokens, cost } = usage
  return { modelCalls, inputTokens, outputTokens, cachedTokens, cost }
}

/** What it has cost since that was last told. */
export function untoldCost({ cost, toldCost = 0 }: TurnUsage): number {
  return Math.max(0, cost - toldCost)
}
