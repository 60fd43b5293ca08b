import type { TurnUsage } from './conversation.ts'

/** The sum of two usages. */
export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  const cutOffCalls = (one.cutOffCalls ?? 0) + (other.cutOffCalls ?? 0)
  return {
    ...one,
    ...(cutOffCalls > 0 && { cutOffCalls }),
    modelCalls: one.modelCalls + other.modelCalls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    cost: one.cost + other.cost,
  }
}
