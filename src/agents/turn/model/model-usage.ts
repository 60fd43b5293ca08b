import type { ModelMessage } from 'ai'
import { noUsage, type TurnUsage } from '../../../core/conversations/conversation.ts'
import type { ChosenModel } from '../../model-source.ts'
import type { SdkUsage } from '../../models/provider.ts'
import { estimateTokens } from '../context/estimate-tokens.ts'

/** What a model was asked with. */
interface Asked {
  chosen: Pick<ChosenModel, 'costOf'>
  instructions: string
  messages: readonly ModelMessage[]
}

/** What one answer took, and what that costs. */
export function toUsage(usage: SdkUsage, chosen: Asked['chosen']): TurnUsage {
  const inputTokens = usage.inputTokens ?? 0
  const outputTokens = usage.outputTokens ?? 0
  const cachedInputTokens = usage.inputTokenDetails?.cacheReadTokens ?? 0
  const cacheWriteTokens = usage.inputTokenDetails?.cacheWriteTokens ?? 0
  const cost =
    chosen.costOf({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens }) ?? 0
  return { modelCalls: 1, inputTokens, outputTokens, cachedTokens: cachedInputTokens, cost }
}

/** What an answer of so many characters took, about. */
export function guessUsage(asked: Asked, chars: number): TurnUsage {
  return toUsage({ inputTokens: guessInput(asked), outputTokens: toTokens(chars) }, asked.chosen)
}

/**
 * What an answer took that did not come to its end: what its provider had told by then, else about
 * what came. Of one that was cut off before its first word nothing is known but that it was asked for.
 */
export function cutUsage(asked: Asked, progress: { chars: number; told?: SdkUsage }): TurnUsage {
  const { chars, told } = progress
  if (chars === 0 && told === undefined) return { ...noUsage, modelCalls: 1, cutOffCalls: 1 }
  const input = told ?? { inputTokens: guessInput(asked) }
  return { ...toUsage({ ...input, outputTokens: toTokens(chars) }, asked.chosen), cutOffCalls: 1 }
}

function guessInput({ messages, instructions }: Asked): number {
  // Files count by their place here as well: what they took, only the provider knows.
  const asText = JSON.stringify(messages, (key, value: unknown) => (key === 'data' ? '' : value))
  return estimateTokens(instructions) + estimateTokens(asText)
}

function toTokens(chars: number): number {
  return Math.ceil(chars / 4)
}
