import type { ArtifactReference } from '../../kernel/artifact-reference.ts'
import { type ContentBlock, type ContentOutput, isContentOutput } from '../../kernel/content.ts'
import type { ArtifactStore } from '../../artifact-store.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import type { JsonValue } from '../../kernel/tool.ts'

/**
 * The longest base64 that stays in the record itself; a picture of a few pixels is not worth a
 * file.
 */
const maxInlineChars = 8_192
/** Values of an output that are searched for a reference. */
const mostLookedAt = 200_000

interface Keeping {
  tenant: string
  callId: string
  artifacts: Pick<ArtifactStore, 'put'>
  maxArtifactBytes: number
}

/**
 * A block of rich output whose bytes are stored elsewhere: `data` or `blob` is empty, and this
 * names the artifact.
 */
export interface KeptBytes {
  $artifact: ArtifactReference
}

/**
 * Stores the bytes of images, audio and files separately, so that they count neither in the log nor
 * towards the output limit. Bytes that can't be stored are replaced by a notice.
 */
export async function keepBytes(output: JsonValue, keeping: Keeping): Promise<JsonValue> {
  const value: unknown = output
  if (!isContentOutput(value)) return output
  const blocks = await Promise.all(value.$content.map((block) => keepBlock(block, keeping)))
  return { ...value, $content: blocks } as unknown as JsonValue
}

/** The artifacts that an output refers to. */
export function listKept(output: unknown): ArtifactReference[] {
  if (!isContentOutput(output)) return []
  return output.$content.flatMap((block) => {
    const place = block.type === 'resource' ? block.resource : block
    return isKept(place) ? [place.$artifact] : []
  })
}

/** The reference to an artifact of `ctx.artifacts` or of a block, anywhere in an output. */
export function findReference(output: unknown, id: string): ArtifactReference | undefined {
  const open: unknown[] = [output]
  for (let seen = 0; open.length > 0 && seen < mostLookedAt; seen++) {
    const value = open.pop()
    if (isRecord(value) && value['id'] === id && Number.isSafeInteger(value['bytes'])) {
      return { id, bytes: Number(value['bytes']), mediaType: String(value['mediaType']) }
    }
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value))
  }
  return undefined
}

/** The same output with its bytes inserted again; `read` returns those of an artifact as base64. */
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
  // A tool may have written the reference itself: then it resolves to an artifact of its own call,
  // or to nothing.
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

/**
 * The artifact with the bytes; undefined if they may stay; a text if they were dropped, with the
 * reason.
 */
async function keep(
  data: unknown,
  mediaType: string,
  { tenant, callId, artifacts, maxArtifactBytes }: Keeping,
): Promise<KeptBytes | string | undefined> {
  if (typeof data !== 'string' || data.length <= maxInlineChars) return undefined
  const bytes = fromBase64(data)
  // Invalid base64 is left as it is: the output limit covers it.
  if (bytes === undefined) return undefined
  if (bytes.length > maxArtifactBytes) {
    return `${bytes.length} bytes of ${mediaType} were left out: the limit is ${maxArtifactBytes} bytes`
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
