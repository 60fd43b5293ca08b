import type { ArtifactReference } from '../../core/kernel/artifact-reference.ts'
import { type ContentBlock, isContentOutput } from '../../core/kernel/content.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { listKept, withBytes } from '../../core/pipeline/output/kept-bytes.ts'
import { toBase64 } from '../../core/uploads/file-text.ts'

/** No provider takes a larger picture or file in a request. */
const maxBytes = 20_971_520

/** The source of stored bytes; undefined for those that must not be shown. */
export interface ArtifactReader {
  readArtifact?(callId: string, artifact: ArtifactReference): Promise<Uint8Array | undefined>
}

/** The output of a call with its stored bytes inserted; missing ones are mentioned in words. */
export async function withKeptBytes(
  port: ArtifactReader,
  { output, callId }: { output: JsonValue; callId: string },
): Promise<JsonValue> {
  const value: unknown = output
  if (!isContentOutput(value) || listKept(value).length === 0) return output
  const blocks = await Promise.all(value.$content.map((block) => fill(port, callId, block)))
  return { ...value, $content: blocks } as unknown as JsonValue
}

async function fill(
  port: ArtifactReader,
  callId: string,
  block: ContentBlock,
): Promise<ContentBlock> {
  const [kept] = listKept({ $content: [block] })
  if (kept === undefined) return block
  const bytes = kept.bytes > maxBytes ? undefined : await read(port, callId, kept)
  if (bytes?.length !== kept.bytes) return inWords(callId, kept)
  const { $content } = await withBytes({ $content: [block] }, async () => toBase64(bytes))
  return $content[0] ?? block
}

async function read(
  port: ArtifactReader,
  callId: string,
  kept: ArtifactReference,
): Promise<Uint8Array | undefined> {
  try {
    return await port.readArtifact?.(callId, kept)
  } catch {
    return undefined
  }
}

function inWords(callId: string, kept: ArtifactReference): ContentBlock {
  const text = `[${kept.mediaType}, ${kept.bytes} bytes: not shown here, kept with ${callId}]`
  return { type: 'text', text }
}
