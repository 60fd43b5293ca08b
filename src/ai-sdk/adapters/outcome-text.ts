import { type ContentBlock, isContentOutput } from '../../core/content.ts'
import type { JsonValue } from '../../core/json.ts'
import { describeError, toModelOutput, toToolOutput } from '../tool-output.ts'
import type { Outcome } from '../tool-run.ts'

/** What a model is told of an outcome, in words. */
export function outcomeText(outcome: Outcome): string {
  return outcomeBlocks(outcome).map(blockText).join('\n')
}

/** Nothing came of it. */
export function isFailure({ kind }: Outcome): boolean {
  return kind === 'failed' || kind === 'denied'
}

/** What a model is told of an outcome, with pictures where it has any. */
export function outcomeBlocks(outcome: Outcome): ContentBlock[] {
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

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}]`
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}`
    default:
      return `[${block.type}, ${block.mimeType}]`
  }
}
