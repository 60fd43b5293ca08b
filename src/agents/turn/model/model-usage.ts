import type { ModelMessage } from 'ai'
import { noUsage, type TurnUsage } from '../../../core/conversations/conversation.ts'
import type { ChosenModel } from '../../model-source.ts'
import type { SdkUsage } from '../../models/provider.ts'
import { estimateTokens } from '../context/estimate-tokens.ts'

/** The request to a model. */
interface Asked {
  chosen: Pick<ChosenModel, 'costOf'>
  instructions: string
  messages: readonly ModelMessage[]
}

/** The usage of one answer, and its cost. */
export function toUsage(usage: SdkUsage, chosen: Asked['chosen']): TurnUsage {
  const inputTokens = usage.inputTokens ?? 0
  const outputTokens = usage.outputTokens ?? 0
  const cachedInputTokens = usage.inputTokenDetails?.cacheReadTokens ?? 0
  const cacheWriteTokens = usage.inputTokenDetails?.cacheWriteTokens ?? 0
  const cost =
    chosen.costOf({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens }) ?? 0
  return { modelCalls: 1, inputTokens, outputTokens, cachedTokens: cachedInputTokens, cost }
}

/** The approximate usage of an answer of this many characters. */
export function guessUsage(asked: Asked, chars: number): TurnUsage {
  return toUsage({ inputTokens: guessInput(asked), outputTokens: toTokens(chars) }, asked.chosen)
}

/**
 * The usage of an answer that did not finish: the provider's figures up to then, else an estimate
 * from its text. Of one cut off before its first word only the request is known.
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
