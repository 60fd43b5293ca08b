import type { JsonValue } from './json.ts'
import { isRecord } from './json/json-type.ts'

/** What a part of a tool's output is for people and models: who it is for, and how much it matters. */
export interface ContentAnnotations {
  audience?: readonly ('user' | 'assistant')[]
  priority?: number
  lastModified?: string
}

interface Block {
  annotations?: ContentAnnotations
  _meta?: Readonly<Record<string, JsonValue>>
}

/** Something readable under an address, with what stands there. `blob` is base64. */
export type ResourceContents = {
  uri: string
  mimeType?: string
  _meta?: Readonly<Record<string, JsonValue>>
} & ({ text: string } | { blob: string })

/** One piece of rich output, as MCP has it. `data` is base64. */
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

/** An output that is more than a JSON value: pictures, sound, files, several texts. */
export interface ContentOutput {
  $content: readonly ContentBlock[]
  /** What the tool's output schema describes, where it has one. */
  $structured?: JsonValue
}

/** What a tool returns that has more to show than JSON. */
export function contentOutput(
  blocks: readonly ContentBlock[],
  structured?: JsonValue,
): ContentOutput {
  return { $content: blocks, ...(structured !== undefined && { $structured: structured }) }
}

/** True for an output made by `contentOutput`, also after it was stored and read again. */
export function isContentOutput(value: unknown): value is ContentOutput {
  if (!isRecord(value) || !Array.isArray(value['$content'])) return false
  return Object.keys(value).every((key) => key === '$content' || key === '$structured')
}

/** Rich output as lines of text: what is no text is named. */
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
