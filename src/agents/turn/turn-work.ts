import type { HeldNames } from '../../core/offer/hold-names.ts'
import type { Turn, TurnUsage } from '../../core/conversations/conversation.ts'
import type { Compaction, TurnStep } from '../../core/conversations/conversation-store.ts'
import type { ChunkLog } from './stream/chunk-log.ts'
import { toJson, type Part } from './ui-parts.ts'

/** A turn that this node works on. */
export interface TurnWork {
  turn: Turn
  /** Of the message that it writes; changed by what is written to the log. */
  parts: Part[]
  log: ChunkLog
  /** For a summary that could not be had now: the next turn asks for it again. */
  standIn: { current?: Compaction }
  /** Names of tools that the conversation has used, read once. */
  heldNames?: HeldNames
  /** Why the model ended its last answer, in the words of the SDK. */
  finishReason?: string
  /** The turn is to end: its calls are called off. */
  signal: AbortSignal
  /** This node is: what has begun may end, and the rest is left to others. */
  leaving: AbortSignal
}

/** A turn as its writes are fenced. */
export function leaseOf({ tenant, id, attempt }: Turn) {
  return { tenant, turnId: id, attempt }
}

/** The current state of a turn. */
export function stepOf(work: Pick<TurnWork, 'turn' | 'parts' | 'finishReason'>): TurnStep {
  const { turn, parts } = work
  const { step, usage, model, messageId } = turn
  const stored = toJson(parts) as Part[] as TurnStep['message']['parts']
  const finishReason = oddReason(work)
  const metadata = finishReason === undefined ? {} : { metadata: { finishReason } }
  const message = { id: messageId, role: 'assistant' as const, parts: stored, ...metadata }
  return { step, message, usage, ...(model !== undefined && { model }) }
}

/** Why an answer ended, where it did not end by itself: cut off, or withheld. */
export function oddReason({ finishReason }: Pick<TurnWork, 'finishReason'>): string | undefined {
  const isUsual = finishReason === 'stop' || finishReason === 'tool-calls'
  return isUsual ? undefined : finishReason
}

/** Usage as others see it. */
export function shownUsage(usage: TurnUsage): TurnUsage {
  const { toldCost: _, ...shown } = usage
  return shown
}

/** The cost since it was last reported. */
export function unrecordedCost({ cost, toldCost = 0 }: TurnUsage): number {
  return Math.max(0, cost - toldCost)
}

/** How far a turn came. `lost`: it is somebody else's by now. */
export type TurnOutcome = { kind: 'done' } | { kind: 'waiting' } | { kind: 'lost' }
