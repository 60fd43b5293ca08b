import { type ContentBlock, isContentOutput } from '../core/content.ts'
import type { JsonValue } from '../core/json.ts'
import { listKept, withBytes } from '../core/pipeline/kept-bytes.ts'
import type { ToolPort } from '../core/tool-port.ts'
import { toBase64 } from '../core/uploads/file-text.ts'

/** No provider takes a larger picture or file in a request. */
const maxBytes = 20_971_520

/** The output of a call with the bytes in it that were put aside; in words what can't be had. */
export async function withKeptBytes(
  port: Pick<ToolPort, 'readArtifact'>,
  { output, callId }: { output: JsonValue; callId: string },
): Promise<JsonValue> {
  const value: unknown = output
  if (!isContentOutput(value) || listKept(value).length === 0) return output
  const blocks = await Promise.all(value.$content.map((block) => fill(port, callId, block)))
  return { ...value, $content: blocks } as unknown as JsonValue
}

async function fill(
  port: Pick<ToolPort, 'readArtifact'>,
  callId: string,
  block: ContentBlock,
): Promise<ContentBlock> {
  const [kept] = listKept({ $content: [block] })
  if (kept === undefined) return block
  try {
    if (kept.bytes > maxBytes || port.readArtifact === undefined) return inWords(callId, kept)
    const bytes = await port.readArtifact(callId, kept)
    const { $content } = await withBytes({ $content: [block] }, async () => toBase64(bytes))
    return bytes.length === kept.bytes && $content[0] ? $content[0] : inWords(callId, kept)
  } catch {
    return inWords(callId, kept)
  }
}

function inWords(callId: string, kept: { bytes: number; mediaType: string }): ContentBlock {
  const text = `[${kept.mediaType}, ${kept.bytes} bytes: not shown here, kept with ${callId}]`
  return { type: 'text', text }
}
