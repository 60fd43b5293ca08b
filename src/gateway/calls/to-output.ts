import { type ContentBlock, contentOutput } from '../../core/content.ts'
import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import { canonicalJson } from '../../core/pipeline/canonical-json.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** The output of a tool from what its server answered. A result that says it is an error is thrown. */
export function toOutput(result: JsonRecord): unknown {
  const content = result['content']
  const blocks = (Array.isArray(content) ? content : []).filter(
    (block) => isRecord(block) && typeof block['type'] === 'string',
  ) as unknown as ContentBlock[]
  const structured = result['structuredContent']
  if (result['isError'] === true) {
    throw new ToolError('tool_failed', textOf(blocks) || 'The tool said that it failed', {
      details: { content: blocks },
    })
  }
  if (structured !== undefined && isRepeated(blocks, structured)) return structured
  return contentOutput(blocks, structured)
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .slice(0, 20_000)
}

/** Servers repeat structured output as text for older clients; doors do so again by themselves. */
function isRepeated(blocks: readonly ContentBlock[], structured: JsonValue): boolean {
  const [first] = blocks
  if (blocks.length === 0) return isRecord(structured)
  if (blocks.length > 1 || first?.type !== 'text' || first.annotations !== undefined) return false
  if (!isRecord(structured) || first.text.length > 1_000_000) return false
  try {
    return canonicalJson(JSON.parse(first.text) as JsonValue) === canonicalJson(structured)
  } catch {
    return false
  }
}
