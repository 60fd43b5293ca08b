import { contentLines, isContentOutput } from '../../../core/kernel/content.ts'
import type { ConversationMessage } from '../../../core/conversations/conversation.ts'
import { estimateTokens, estimateValue } from './estimate-tokens.ts'
import { isToolPart, toJson, type Part, type ToolPart, readParts } from '../ui-parts.ts'

/** The length of a shortened result, if it has that much. */
const shortTokens = 200
const leastTokens = 40
/** A picture or sound, whatever its bytes: providers count it by its size on the screen or its length. */
const mediaTokens = 1_500

/** About how many tokens the parts of a message are. */
export function estimateParts(parts: readonly unknown[]): number {
  const sizes = (parts as readonly Part[]).map((part) => {
    if (!isToolPart(part) || part.output === undefined) return estimateValue(part)
    const { output, ...rest } = part
    return estimateValue(rest) + estimateOutput(output)
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * The same messages with so much of the results of tools as fits into the room: the newest whole, of
 * older ones head and tail. Calls keep their results, and the store keeps all of it.
 */
export function shortenResults(
  messages: readonly ConversationMessage[],
  room: number,
): ConversationMessage[] {
  const used = messages.reduce((sum, { parts }) => sum + estimateParts(parts), 0)
  if (used <= room) return [...messages]
  const parts = messages.flatMap(readParts)
  const allowed = share(parts.filter(hasResult), { used, room })
  return messages.map((message) => ({
    ...message,
    parts: readParts(message).map((part) => toJson(shorten(part, allowed.get(part)))),
  }))
}

/** The provider's own results are signed, and refused if changed. */
function hasResult(part: Part): part is ToolPart {
  return isToolPart(part) && part.output !== undefined && part.providerExecuted !== true
}

/** How many tokens each result may take. */
function share(
  results: readonly ToolPart[],
  { used, room }: { used: number; room: number },
): ReadonlyMap<Part, number> {
  const sizes = results.map(({ output }) => estimateOutput(output))
  const forResults = room - used + sizes.reduce((sum, size) => sum + size, 0)
  const even = Math.floor(forResults / Math.max(1, results.length) / 2)
  const least = Math.max(leastTokens, Math.min(shortTokens, even))
  let spare = forResults - sizes.reduce((sum, size) => sum + Math.min(size, least), 0)
  const allowed = new Map<Part, number>()
  for (const [index, part] of [...results.entries()].toReversed()) {
    const more = (sizes[index] ?? 0) - least
    if (more > 0 && more > spare) {
      allowed.set(part, least + Math.max(0, spare))
      spare = 0
    }
    if (more > 0) spare -= Math.min(more, spare)
  }
  return allowed
}

function shorten(part: Part, tokens: number | undefined): Part {
  if (tokens === undefined) return part
  const text = textOf(part['output'])
  const most = Math.floor((text.length * tokens) / Math.max(tokens, estimateTokens(text)))
  return { ...part, output: cutMiddle(text, most) }
}

function estimateOutput(output: unknown): number {
  if (!isContentOutput(output)) return estimateValue(output)
  const media = output.$content.filter(({ type }) => type === 'image' || type === 'audio').length
  return estimateTokens(textOf(output)) + media * mediaTokens
}

function textOf(output: unknown): string {
  if (isContentOutput(output)) return contentLines(output).join('\n')
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function cutMiddle(text: string, most: number): string {
  const half = Math.max(0, Math.floor(most / 2))
  const left = text.length - 2 * half
  const note = `… (${left} characters of this result are left out: there is no room for them) …`
  return `${text.slice(0, half)}\n${note}\n${text.slice(text.length - half)}`
}
