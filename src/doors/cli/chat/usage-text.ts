import type { TurnUsage } from '../../../core/conversations/conversation.ts'
import { counted } from '../output/counted.ts'

/** The usage of a turn, as far as it is known: `1,204 tokens in, 96 out · 0.4 units`. */
export function usageText(usage: TurnUsage): string {
  const { cost, cutOffCalls = 0 } = usage
  const tokens = cutOffCalls === 0 ? tokensText(usage) : aboutText(usage, cutOffCalls)
  // Empty if the price of the model is unknown.
  return cost === 0 ? tokens : `${tokens} · ${counted(Number(cost.toPrecision(3)), 'unit')}`
}

function tokensText({ inputTokens, outputTokens }: TurnUsage): string {
  return `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out`
}

function aboutText(usage: TurnUsage, cutOffCalls: number): string {
  const isKnown = usage.inputTokens + usage.outputTokens > 0
  const tokens = isKnown ? `about ${tokensText(usage)}` : 'tokens not known'
  const were = cutOffCalls === 1 ? 'was' : 'were'
  return `${tokens} (${counted(cutOffCalls, 'model call')} ${were} cut off)`
}
