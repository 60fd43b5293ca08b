import type { ConversationMessage } from '../../../core/conversations/conversation.ts'
import type { ChosenModel } from '../../model-source.ts'
import { filePrefix, toFileUrl } from './file-url.ts'
import { isReadable, isTextMedia } from './readable-media.ts'
import type { TurnPorts } from '../turn-ports.ts'
import type { TurnWork } from '../turn-work.ts'
import { readParts, type Part } from '../ui-parts.ts'

/** The replacement for a file in a message that a model reads. */
export type ShowFile = (part: Part) => Promise<Part>

type FilePorts = Pick<TurnPorts, 'store'>

interface ShownRequest extends Pick<TurnWork, 'turn'> {
  chosen: Pick<ChosenModel, 'provider' | 'windowTokens'>
}

/** No provider takes more at once, and all of it is in memory while it is sent. */
const maxShownBytes = 20_971_520
/** Of one file that goes as text. */
const maxTextChars = 200_000

/**
 * How the files of these messages are shown: as they are, as text, or as a note with the reason why
 * not.
 */
export async function createShowFile(
  messages: readonly ConversationMessage[],
  { turn, chosen }: ShownRequest,
  ports: FilePorts,
): Promise<ShowFile> {
  const files = messages.flatMap(readParts).filter(isStored)
  const shown = await findShown(files, turn, ports)
  const texts = files.filter((part) => isTextMedia(mediaTypeOf(part)))
  // Together about a seventh of what the model can read: they come on top of what is measured.
  const together = Math.floor(chosen.windowTokens / 2)
  const most = Math.min(maxTextChars, Math.floor(together / Math.max(1, texts.length)))
  return async (part) => {
    const mediaType = mediaTypeOf(part)
    if (!isReadable(mediaType, chosen.provider)) return toWords(part, "that this model can't read")
    const url = String(part['url'])
    if (!shown.has(url)) return toWords(part, 'that is not shown any more')
    const id = url.slice(filePrefix.length)
    const file = await ports.store.readFile(turn.tenant, turn.conversationId, id)
    if (file === undefined) return toWords(part, 'that is not shown any more')
    const bytes = Buffer.from(file.bytes)
    if (isTextMedia(mediaType)) return toText(part, bytes.toString('utf8'), most)
    // The rest is ours.
    const { providerMetadata: _, ...given } = part
    return { ...given, url: `data:${file.mediaType};base64,${bytes.toString('base64')}` }
  }
}

/** The newest files, as many as a model is sent. */
async function findShown(
  files: readonly Part[],
  { tenant, conversationId }: TurnWork['turn'],
  { store }: FilePorts,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  if (files.length === 0) return shown
  const stored = await store.listFiles(tenant, conversationId)
  const sizes = new Map(stored.map(({ id, size }) => [toFileUrl(id), size]))
  let bytes = 0
  for (const part of files.toReversed()) {
    const url = String(part['url'])
    bytes += sizes.get(url) ?? 0
    if (bytes > maxShownBytes) return shown
    shown.add(url)
  }
  return shown
}

function isStored({ type, url }: Part): boolean {
  return type === 'file' && typeof url === 'string' && url.startsWith(filePrefix)
}

function mediaTypeOf({ mediaType }: Part): string {
  return typeof mediaType === 'string' ? mediaType : ''
}

function toWords(part: Part, why: string): Part {
  return { type: 'text', text: `(a file ${nameOf(part)} of type ${mediaTypeOf(part)} ${why})` }
}

function toText(part: Part, content: string, most: number): Part {
  const left = content.length - most
  const text =
    left > 0 ? `${content.slice(0, most)}\n… (${left} more characters are not shown)` : content
  return { type: 'text', text: `The file ${nameOf(part)} (${mediaTypeOf(part)}):\n${text}` }
}

function nameOf({ filename }: Part): string {
  return typeof filename === 'string' ? JSON.stringify(filename) : 'without a name'
}
