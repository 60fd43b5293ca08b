import type { ArtifactReference } from './artifact-reference.ts'
import type { JsonValue } from './json.ts'
import { isRecord } from './json/json-type.ts'

/** The audience and the importance of one part of a tool's output. */
export interface ContentAnnotations {
  audience?: readonly ('user' | 'assistant')[]
  priority?: number
  lastModified?: string
}

interface Block {
  annotations?: ContentAnnotations
  _meta?: Readonly<Record<string, JsonValue>>
}

/** A readable resource with its address and content. `blob` is base64. */
export type ResourceContents = {
  uri: string
  mimeType?: string
  _meta?: Readonly<Record<string, JsonValue>>
} & ({ text: string } | { blob: string })

/** One block of rich output, as in MCP. `data` is base64. */
export type ContentBlock =
  | (Block & { type: 'text'; text: string })
  | (Block & { type: 'image' | 'audio'; data: string; mimeType: string })
  | (Block & { type: 'resource'; resource: ResourceContents })
  | (Block & {
      type: 'resource_link'
      uri: string
      name: string
      title?: string
      description?: string
      mimeType?: string
      size?: number
    })

/** An output that is more than a JSON value: images, audio, files, several texts. */
export interface ContentOutput {
  $content: readonly ContentBlock[]
  /** The value that the tool's output schema describes, if it has one. */
  $structured?: JsonValue
}

/** Creates a tool output with content beside its JSON. */
export function contentOutput(
  blocks: readonly ContentBlock[],
  structured?: JsonValue,
): ContentOutput {
  return { $content: blocks, ...(structured !== undefined && { $structured: structured }) }
}

/** A picture that this call has kept as an artifact: doors that can show it insert its bytes. */
export function keptPicture($artifact: ArtifactReference): ContentBlock {
  const kept = { type: 'image' as const, data: '', mimeType: $artifact.mediaType, $artifact }
  return kept
}

/** True for an output made by `contentOutput`, also after it was stored and read back. */
export function isContentOutput(value: unknown): value is ContentOutput {
  if (!isRecord(value) || !Array.isArray(value['$content'])) return false
  return Object.keys(value).every((key) => key === '$content' || key === '$structured')
}

/** Rich output as lines of text; other content is described by a line. */
export function contentLines({ $content }: ContentOutput): string[] {
  return $content.flatMap((block) => {
    if (block.type === 'text') return block.text.split('\n')
    if (block.type === 'resource_link') return [`${block.title ?? block.name}: ${block.uri}`]
    if (block.type !== 'resource') return [`[${block.type}, ${block.mimeType}]`]
    const { resource } = block
    return 'text' in resource
      ? [resource.uri, ...resource.text.split('\n')]
      : [`[${resource.uri}, ${resource.mimeType ?? 'bytes'}]`]
  })
}
