import { type ContentBlock, contentOutput } from '../../core/kernel/content.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { readTextFile } from './read-text-file.ts'

/** Makes the output of a tool from its server's answer. A result marked as an error is thrown. */
export function toOutput(result: JsonRecord): unknown {
  const kind = result['resultType']
  if (kind !== undefined && kind !== 'complete') {
    throw malformed(`with a result of an unknown kind, ${JSON.stringify(kind).slice(0, 100)}`)
  }
  const content = result['content']
  const structured = result['structuredContent']
  const blocks = Array.isArray(content) ? toBlocks(content) : []
  if (result['isError'] === true) {
    throw new ToolError('tool_failed', textOf(blocks) || 'The tool reported a failure', {
      details: { content: blocks },
    })
  }
  if (!Array.isArray(content) && (content !== undefined || structured === undefined)) {
    throw malformed(content === undefined ? 'without content' : 'with content that is not a list')
  }
  if (structured !== undefined && isRepeated(blocks, structured)) return structured
  return contentOutput(blocks, structured)
}

/** A malformed answer: it does not show what the tool has done. */
function malformed(how: string): ToolError {
  return new ToolError('upstream_failed', `The server answered ${how}`, {
    retryable: false,
    fix: 'Ask the operator of the server to fix it. The tool may have run all the same.',
  })
}

function toBlocks(content: readonly JsonValue[]): ContentBlock[] {
  const blocks = content.filter((block) => isRecord(block) && typeof block['type'] === 'string')
  const sound = blocks.every(hasSoundMeta) ? blocks : blocks.map(withoutBadMeta)
  return sound.map(readTextFile) as unknown as ContentBlock[]
}

/** Clients refuse a whole result if one `_meta` is not an object. */
function hasSoundMeta(block: JsonValue): boolean {
  const { _meta: meta, resource } = block as JsonRecord
  if (meta !== undefined && !isRecord(meta)) return false
  return !isRecord(resource) || resource['_meta'] === undefined || isRecord(resource['_meta'])
}

function withoutBadMeta(block: JsonValue): JsonValue {
  const { _meta: meta, resource, ...rest } = block as JsonRecord
  return {
    ...rest,
    ...(isRecord(meta) && { _meta: meta }),
    ...(resource !== undefined && {
      resource: isRecord(resource) && !hasSoundMeta(resource) ? withoutBadMeta(resource) : resource,
    }),
  }
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
