import type { CallError } from '../../../core/kernel/call.ts'
import type { SettledTurnStatus, Turn } from '../../../core/conversations/conversation.ts'
import { shownUsage } from '../turn-work.ts'
import { toJson, type Chunk } from '../ui-parts.ts'

/** The first chunks of a turn's stream. */
export function toStartChunk({ conversationId, id: turnId, agent, messageId }: Turn): Chunk {
  const messageMetadata = toJson({ conversationId, turnId, agent })
  return { type: 'start', messageId, messageMetadata }
}

export interface TurnEnding {
  status: SettledTurnStatus
  error?: CallError | undefined
  /** Why the last answer ended, where it did not by itself. */
  odd?: string | undefined
}

/** The last chunks of a turn's stream. */
export function toEndChunks(
  { usage }: Pick<Turn, 'usage'>,
  { status, error, odd }: TurnEnding,
): Chunk[] {
  const why: Chunk[] = []
  if (status === 'cancelled') why.push({ type: 'abort', reason: 'cancelled' })
  if (status === 'failed') why.push({ type: 'error', errorText: error?.message ?? 'It failed.' })
  const finishReason = status === 'completed' ? odd : undefined
  const messageMetadata = toJson({
    status,
    usage: shownUsage(usage),
    ...(finishReason && { finishReason }),
    ...(error && { error }),
  })
  const reason = status === 'completed' ? (finishReason ?? 'stop') : 'error'
  return [...why, { type: 'finish', finishReason: reason, messageMetadata }]
}
