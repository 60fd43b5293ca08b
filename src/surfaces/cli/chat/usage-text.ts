import type { TurnUsage } from '../../../core/conversations/conversation.ts'
import { counted } from '../output/counted.ts'

/** What a turn has used: `1,204 tokens in, 96 out · 0.4 units`; at least, where answers were cut off. */
export function usageText({ inputTokens, outputTokens, cost, cutOffCalls }: TurnUsage): string {
  const known = `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out`
  const cut = cutOffCalls && ` (about: ${counted(cutOffCalls, 'model call')} cut off)`
  const tokens = `${known}${cut || ''}`
  // Nothing where the price of the model is not known.
  return cost === 0 ? tokens : `${tokens} · ${counted(Number(cost.toPrecision(3)), 'unit')}`
}
