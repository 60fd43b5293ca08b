import type { SdkUsage } from './provider.ts'

/** Input tokens, of which some came from the provider's cache and some were written to it. */
export function toInputUsage(
  inputTokens: number,
  cache: { read: number; written: number },
): SdkUsage {
  const { read: cacheReadTokens, written: cacheWriteTokens } = cache
  return { inputTokens, inputTokenDetails: { cacheReadTokens, cacheWriteTokens } }
}

/** A count that a provider may leave out. */
export function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
