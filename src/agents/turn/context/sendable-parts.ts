import { isAnswered, isToolPart, type Part } from '../ui-parts.ts'

/**
 * The parts of a message that go to a model again. Answers are stored as they came, also those that
 * broke off or were stopped; a single unpaired part makes a provider refuse the conversation, now
 * and later.
 */
export function toSendable(
  parts: readonly Part[],
  { isLast }: { isLast: boolean },
): readonly Part[] {
  const said = parts.filter((part) => saysSomething(part) && (isLast || !isCutOff(part)))
  return withoutLastThought(said)
}

/**
 * Some refuse a text of only spaces, others a message with nothing in it; and models produce both,
 * before a call or before they break off. Parts signed by a provider go back unchanged.
 */
function saysSomething({ type, text, providerMetadata }: Part): boolean {
  if (type !== 'text' && type !== 'reasoning') return true
  return providerMetadata !== undefined || String(text).trim() !== ''
}

/**
 * Unfinished work that a provider runs itself: at the end of the conversation it continues it,
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
