import type { ContentBlock, ContentOutput } from '../../kernel/content.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { cutJsonText, utf8Length } from '../../kernel/text/utf8.ts'

/**
 * Cuts rich output to a limit in bytes of its JSON text, and keeps it rich: a JSON preview would
 * lose the images, whose bytes are found through their blocks. Texts are cut where the space ends,
 * structured output is kept whole or left out, and the last text gives the size of the hidden part.
 */
export function boundContent(output: ContentOutput, totalBytes: number, limit: number) {
  // Uses the largest figure possible, so that the notice never exceeds its space.
  let room = limit - sizeOf({ $content: [toNotice(totalBytes)] })
  const structured = structuredIn(output, room / 2)
  room -= structured.bytes
  const media = takeMedia(output.$content, room / 2)
  room -= media.bytes
  const texts = takeOthers(output.$content, room)
  const shown = output.$content.flatMap((_, at) => media.taken.get(at) ?? texts.get(at) ?? [])
  const hidden = totalBytes - sizeOf({ $content: shown, ...structured.kept })
  return { $content: [...shown, toNotice(Math.max(0, hidden))], ...structured.kept }
}

/** The last line of a truncated output. */
export function hiddenNotice(hiddenBytes: number): string {
  return `… ${hiddenBytes} more bytes hidden, read the artifact`
}

type Taken = Map<number, ContentBlock>

/** Half of it would match no schema. */
function structuredIn({ $structured }: ContentOutput, room: number) {
  if ($structured === undefined) return { bytes: 0, kept: {} }
  const bytes = sizeOf($structured) + ',"$structured":'.length
  return bytes <= room ? { bytes, kept: { $structured } } : { bytes: 0, kept: {} }
}

/** Images, audio and files come first: they are small once their bytes are stored separately. */
function takeMedia(blocks: readonly ContentBlock[], room: number) {
  const taken: Taken = new Map()
  let bytes = 0
  for (const [at, block] of blocks.entries()) {
    if (!isMedia(block)) continue
    const size = sizeOf(block) + 1
    if (bytes + size > room) continue
    bytes += size
    taken.set(at, block)
  }
  return { taken, bytes }
}

/** All others in order, until the first that does not fit; a text is cut to fit. */
function takeOthers(blocks: readonly ContentBlock[], room: number): Taken {
  const taken: Taken = new Map()
  let left = room
  for (const [at, block] of blocks.entries()) {
    if (isMedia(block)) continue
    const size = sizeOf(block) + 1
    if (size > left) {
      const cut = cutBlock(block, left)
      return cut === undefined ? taken : taken.set(at, cut)
    }
    left -= size
    taken.set(at, block)
  }
  return taken
}

function cutBlock(block: ContentBlock, room: number): ContentBlock | undefined {
  const cut = (place: { text: string }, frame: number) =>
    cutJsonText(place.text, room - frame - 1) || undefined
  if (block.type === 'text' && hasText(block)) {
    const text = cut(block, sizeOf({ ...block, text: '' }))
    return text === undefined ? undefined : { ...block, text }
  }
  if (block.type !== 'resource' || !hasText(block.resource)) return undefined
  const { resource } = block
  const text = cut(resource, sizeOf({ ...block, resource: { ...resource, text: '' } }))
  return text === undefined ? undefined : { ...block, resource: { ...resource, text } }
}

/** A guard, because nobody has checked that a block matches its type. */
function hasText<T>(place: T): place is T & { text: string } {
  return isRecord(place) && typeof place['text'] === 'string'
}

function isMedia(block: ContentBlock): boolean {
  const place: unknown = block.type === 'resource' ? block.resource : block
  return isRecord(place) && (place['data'] !== undefined || place['blob'] !== undefined)
}

function toNotice(hiddenBytes: number): ContentBlock {
  return { type: 'text', text: hiddenNotice(hiddenBytes) }
}

function sizeOf(value: unknown): number {
  return utf8Length(JSON.stringify(value))
}
