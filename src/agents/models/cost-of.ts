import type { ModelPrice } from './models-config.ts'

/** The tokens of one answer of a model. Cached tokens are part of the input. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
}

const million = 1_000_000

/** Its cost, or undefined if the model has no configured price. */
export function costOf(usage: ModelUsage, price: ModelPrice | undefined): number | undefined {
  if (price === undefined) return undefined
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  const sum =
    fresh * price.input +
    cachedInputTokens * (price.cachedInput ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output
  return sum / million
}

/** The value under the longest pattern that fits: `anthropic/claude-*`, or a whole name. */
export function findByModel<T>(table: Readonly<Record<string, T>>, model: string): T | undefined {
  const fitting = Object.keys(table).filter((pattern) => fits(pattern, model))
  const [longest] = fitting.sort((left, right) => right.length - left.length)
  return longest === undefined ? undefined : table[longest]
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  if (parts.length === 1) return pattern === model
  if (!model.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = model.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  const last = parts.at(-1) ?? ''
  return model.length - at >= last.length && model.endsWith(last)
}
