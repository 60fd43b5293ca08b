import type { TurnUsage } from './conversation.ts'

/** What two answers of models used together. */
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
