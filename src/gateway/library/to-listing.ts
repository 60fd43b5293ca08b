import type {
  PromptListing,
  ResourceListing,
  ResourceTemplate,
} from '../../core/library/library-api.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** A prompt as a server lists it, under its own name or ours. One without a name is left out. */
export function toPrompt(
  item: JsonRecord,
  { server, isOwnName }: { server: string; isOwnName: boolean },
): PromptListing | undefined {
  const { name, arguments: given } = item
  if (typeof name !== 'string') return undefined
  return {
    name: isOwnName ? name : `mcp:${server}:${name}`,
    ...textsOf(item, ['title', 'description']),
    arguments: (Array.isArray(given) ? given : []) as unknown as PromptListing['arguments'],
    server,
  }
}

export function toResource(item: JsonRecord, server: string): ResourceListing | undefined {
  const { uri, size } = item
  if (typeof uri !== 'string') return undefined
  return { uri, ...namesOf(item, uri), ...(typeof size === 'number' && { size }), server }
}

export function toTemplate(item: JsonRecord, server: string): ResourceTemplate | undefined {
  const { uriTemplate } = item
  if (typeof uriTemplate !== 'string') return undefined
  return { uriTemplate, ...namesOf(item, uriTemplate), server }
}

function namesOf(item: JsonRecord, address: string) {
  const { name } = item
  return {
    name: typeof name === 'string' ? name : address,
    ...textsOf(item, ['title', 'description', 'mimeType']),
  }
}

function textsOf<Key extends string>(
  item: JsonRecord,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const found = keys.filter((key) => typeof item[key] === 'string').map((key) => [key, item[key]])
  return Object.fromEntries(found) as Partial<Record<Key, string>>
}
