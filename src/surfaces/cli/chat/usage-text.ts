import type { TurnUsage } from '../../../core/conversations/conversation.ts'
import { counted } from '../output/counted.ts'

/** What a turn has used: `1,204 tokens in, 96 out · 0.4 units`. */
export function usageText({ inputTokens, outputTokens, cost }: TurnUsage): string {
  const tokens = `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out`
  // Nothing where the price of the model is not known.
  return cost === 0 ? tokens : `${tokens} · ${counted(Number(cost.toPrecision(3)), 'unit')}`
}
