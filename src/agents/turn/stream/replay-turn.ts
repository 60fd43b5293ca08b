import type { Turn } from '../../../core/conversations/conversation.ts'
import type { ConversationStore } from '../../../core/conversations/conversation-store.ts'
import { toEndChunks, toStartChunk } from './frame-chunks.ts'
import { toChunks } from './to-chunks.ts'
import { type Chunk, readParts } from '../ui-parts.ts'

/** A turn that is over, from what the conversation keeps of it: its stream is forgotten after a while. */
export async function replayTurn(
  turn: Turn,
  { findMessage }: Pick<ConversationStore, 'findMessage'>,
): Promise<Chunk[]> {
  const message = await findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const { finishReason } = (message?.metadata ?? {}) as { finishReason?: string }
  const { status, error } = turn
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return []
  return [
    toStartChunk(turn),
    ...toChunks(readParts(message)),
    ...toEndChunks(turn, { status, error, odd: finishReason }),
  ]
}
