import type { ArtifactReference } from '../../kernel/call.ts'
import { type ContentBlock, type ContentOutput, isContentOutput } from '../../kernel/content.ts'
import type { ArtifactStore } from '../../artifact-store.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import type { JsonValue } from '../../kernel/tool.ts'

/** So much base64 may stand in the record itself; a picture of a few pixels is not worth a file. */
const maxInlineChars = 8_192

interface Keeping {
  tenant: string
  callId: string
  artifacts: Pick<ArtifactStore, 'put'>
  maxArtifactBytes: number
}

/** A piece of rich output whose bytes lie elsewhere: `data` or `blob` is empty, this says where. */
export interface KeptBytes {
  $artifact: ArtifactReference
}

/**
 * Puts the bytes of pictures, sound and files aside, so that neither the log nor the limit of the
 * output meets them. What can't be kept is said in their place.
 */
export async function keepBytes(output: JsonValue, keeping: Keeping): Promise<JsonValue> {
  const value: unknown = output
  if (!isContentOutput(value)) return output
  const blocks = await Promise.all(value.$content.map((block) => keepBlock(block, keeping)))
  return { ...value, $content: blocks } as unknown as JsonValue
}

/** The artifacts that an output speaks of. */
export function listKept(output: unknown): ArtifactReference[] {
  if (!isContentOutput(output)) return []
  return output.$content.flatMap((block) => {
    const place = block.type === 'resource' ? block.resource : block
    return isKept(place) ? [place.$artifact] : []
  })
}

/** The same output with its bytes in it again; `read` gives those of an artifact as base64. */
export async function withBytes(
  output: ContentOutput,
  read: (artifact: ArtifactReference) => Promise<string>,
): Promise<ContentOutput> {
  const blocks = await Promise.all(
    output.$content.map(async (block): Promise<ContentBlock> => {
      if (block.type === 'resource' && isKept(block.resource)) {
        const { $artifact, ...resource } = block.resource
        return { ...block, resource: { ...resource, blob: await read($artifact) } as never }
      }
      if (!isKept(block)) return block
      const { $artifact, ...rest } = block
      return { ...rest, data: await read($artifact) } as ContentBlock
    }),
  )
  return { ...output, $content: blocks }
}

function isKept<T>(value: T): value is T & KeptBytes {
  const kept = isRecord(value) ? value['$artifact'] : undefined
  // A tool may have written it itself: then it finds what its own call has kept, or nothing.
  return isRecord(kept) && typeof kept['id'] === 'string' && Number.isSafeInteger(kept['bytes'])
}

async function keepBlock(block: ContentBlock, keeping: Keeping): Promise<ContentBlock> {
  if (block.type === 'image' || block.type === 'audio') {
    const kept = await keep(block.data, block.mimeType, keeping)
    if (typeof kept === 'string') return { type: 'text', text: kept }
    return kept === undefined ? block : { ...block, data: '', ...kept }
  }
  if (block.type !== 'resource' || !isRecord(block.resource)) return block
  if (!('blob' in block.resource)) return block
  const { blob, mimeType = 'application/octet-stream' } = block.resource
  const kept = await keep(blob, mimeType, keeping)
  if (typeof kept === 'string') return { type: 'text', text: kept }
  if (kept === undefined) return block
  return { ...block, resource: { ...block.resource, blob: '', ...kept } as never }
}

/** Where they were put; undefined where they may stay; a text about why they are gone. */
async function keep(
  data: unknown,
  mediaType: string,
  { tenant, callId, artifacts, maxArtifactBytes }: Keeping,
): Promise<KeptBytes | string | undefined> {
  if (typeof data !== 'string' || data.length <= maxInlineChars) return undefined
  const bytes = fromBase64(data)
  // What is no base64 is left as it is: the limit of the output is there for it.
  if (bytes === undefined) return undefined
  if (bytes.length > maxArtifactBytes) {
    return `${bytes.length} bytes of ${mediaType} were left out: ${maxArtifactBytes} may be kept`
  }
  try {
    return { $artifact: await artifacts.put(tenant, callId, { bytes, mediaType }) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `${bytes.length} bytes of ${mediaType} could not be kept: ${reason}`
  }
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
