import type { FilePart } from '../turn/message.ts'

/** A file to send with the next message. */
export interface Attachment {
  id: string
  name: string
  mediaType: string
  size: number
  file: File
  /** For images: shown from memory, never from a URL. */
  preview: string | undefined
}

const maxBytes = 10_485_760
const maxFiles = 20

/** The limits of the server, and the types that models can read. */
const allowed =
  /^(?:image\/(?:png|jpeg|gif|webp)|application\/(?:pdf|json)|text\/(?:plain|csv|markdown)|audio\/(?:mpeg|wav|mp4))$/

/** Browsers do not know the type of every file, so the extension decides. */
const byEnding: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  txt: 'text/plain',
  log: 'text/plain',
  yaml: 'text/plain',
  yml: 'text/plain',
}

export const acceptedFiles =
  'image/png,image/jpeg,image/gif,image/webp,application/pdf,application/json,text/plain,text/csv,text/markdown,audio/mpeg,audio/wav,audio/mp4,.md,.csv,.json,.txt,.log'

/** The type under which a file is sent; undefined if the type is not accepted. */
export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string | undefined {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const plain = type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (allowed.test(plain)) return plain
  return Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
}

/** Why a file can't be attached; undefined if it can. */
export function whyNotAttach(file: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (mediaTypeOf(file) === undefined) {
    return `${file.name} is not a type agents can read. Attach images, PDF, text, CSV, JSON or audio.`
  }
  if (file.size > maxBytes) return `${file.name} is ${formatBytes(file.size)}; the limit is 10 MB.`
  if (file.size === 0) return `${file.name} is empty.`
  return undefined
}

/** The accepted files as attachments, and a reason for each refused one. */
export function toAttachments(
  files: readonly File[],
  already: number,
): { taken: Attachment[]; refused: string[] } {
  const taken: Attachment[] = []
  const refused: string[] = []
  for (const file of files) {
    const why =
      already + taken.length >= maxFiles
        ? `A message can have at most ${maxFiles} files; ${file.name} was not attached.`
        : whyNotAttach(file)
    const mediaType = mediaTypeOf(file)
    if (why !== undefined || mediaType === undefined) {
      refused.push(why ?? file.name)
      continue
    }
    const preview = mediaType.startsWith('image/') ? URL.createObjectURL(file) : undefined
    taken.push({
      id: crypto.randomUUID(),
      name: file.name,
      size: file.size,
      mediaType,
      file,
      preview,
    })
  }
  return { taken, refused }
}

/** The file as a message part: its bytes, under the type that was checked. */
export async function toFilePart({ name, mediaType, file }: Attachment): Promise<FilePart> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return {
    type: 'file',
    mediaType,
    filename: name,
    url: `data:${mediaType};base64,${toBase64(bytes)}`,
  }
}

const step = 32_768

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += step) {
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  }
  return btoa(text)
}

/** `340 B`, `12 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
