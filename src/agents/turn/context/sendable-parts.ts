import { isAnswered, isToolPart, type Part } from '../ui-parts.ts'

/**
 * What of a message goes to a model again. Answers are stored as they came, also those that broke off
 * or were stopped; and for one part that stands alone a provider refuses the conversation, now and
 * ever after.
 */
export function toSendable(
  parts: readonly Part[],
  { isLast }: { isLast: boolean },
): readonly Part[] {
  const said = parts.filter((part) => saysSomething(part) && (isLast || !isCutOff(part)))
  return withoutLastThought(said)
}

/**
 * Some refuse a text of nothing but spaces, others a message with nothing in it; and models say both,
 * before a call or before they break off. What a provider has signed goes back as it came.
 */
function saysSomething({ type, text, providerMetadata }: Part): boolean {
  if (type !== 'text' && type !== 'reasoning') return true
  return providerMetadata !== undefined || String(text).trim() !== ''
}

/**
 * What a provider ran itself, and has not ended: at the end of the conversation it goes on with it,
 * anywhere else there has to be a result.
 */
function isCutOff(part: Part): boolean {
  return isToolPart(part) && part.providerExecuted === true && !isAnswered(part)
}

const unspoken: ReadonlySet<string> = new Set(['reasoning', 'custom', 'step-start'])

/** A thought is there for what follows it: with nothing behind it, it is refused. */
function withoutLastThought(parts: readonly Part[]): readonly Part[] {
  return parts.slice(0, parts.findLastIndex(({ type }) => !unspoken.has(type)) + 1)
}
