import { type ContentBlock, isContentOutput } from '../../../core/kernel/content.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { describeError, toModelOutput, toToolOutput } from '../tool-output.ts'
import type { Outcome } from '../tool-run.ts'

/** An outcome as text for a model: pictures are only mentioned. */
export function outcomeText(outcome: Outcome): string {
  return outcomeBlocks(outcome).map(blockText).join('\n')
}

/** An outcome for a model as one text, or in parts if it has pictures. */
export function outcomeParts(outcome: Outcome): string | ResultPart[] {
  const parts = listParts(outcome)
  if (parts.some(({ type }) => type === 'image')) return parts
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** The same in parts only, without empty texts: Anthropic refuses a whole request for one. */
export function listParts(outcome: Outcome): ResultPart[] {
  return outcomeBlocks(outcome)
    .map(toPart)
    .filter((part) => part.type !== 'text' || part.text !== '')
}

/** A piece of a result that models of today can look at. */
export type ResultPart =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: ImageType }

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

/** There was no result. */
export function isFailure({ kind }: Outcome): boolean {
  return kind === 'failed' || kind === 'denied'
}

/** An outcome for a model, with its pictures. */
function outcomeBlocks(outcome: Outcome): ContentBlock[] {
  if (outcome.kind === 'failed') return [text(describeError(outcome.error))]
  if (outcome.kind === 'done') {
    const note = outcome.note === undefined ? [] : [text(outcome.note)]
    return [...note, ...outputBlocks(outcome.output)]
  }
  const told = toModelOutput({ output: toToolOutput(outcome) })
  if (told.type === 'execution-denied') return [text(told.reason ?? 'It was not allowed')]
  return [text(told.type === 'text' ? told.value : JSON.stringify(told))]
}

function outputBlocks(output: JsonValue): ContentBlock[] {
  if (isContentOutput(output)) return [...output.$content]
  return [text(typeof output === 'string' ? output : JSON.stringify(output))]
}

function text(words: string): ContentBlock {
  return { type: 'text', text: words }
}

const imageTypes: ReadonlySet<string> = new Set<ImageType>([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
])

/** Pictures that no provider accepts are named. */
function toPart(block: ContentBlock): ResultPart {
  if (block.type === 'image' && imageTypes.has(block.mimeType)) {
    return { type: 'image', data: block.data, mimeType: block.mimeType as ImageType }
  }
  return { type: 'text', text: blockText(block) }
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}]`
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}`
    default:
      return `[${block.type}, ${block.mimeType}: it can't be shown here]`
  }
}
