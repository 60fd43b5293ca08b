import { ToolError } from '../../core/kernel/errors.ts'
import type { Part } from '../turn/ui-parts.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** A file that came with a message. */
export interface SaidFile {
  type: 'file'
  mediaType: string
  filename?: string
  bytes: Uint8Array
  /** Where it was put in the workspace of the conversation. */
  workspacePath?: string
}

const maxBytes = 10_485_760

/** Types that models can read; nothing that a browser would execute when shown. */
const allowed =
  /^(?:image\/(?:png|jpeg|gif|webp)|application\/(?:pdf|json)|text\/(?:plain|csv|markdown)|audio\/(?:mpeg|wav|mp4))$/

const dataUrl =
  /^data:([a-z0-9.+/-]{1,100})?(?:;[a-z0-9=._-]{1,100})*;base64,([A-Za-z0-9+/]*={0,2})$/i

/** Reads a file part. Only its own bytes: an address would be fetched by this server or the provider. */
export function parseFile(part: Part): SaidFile {
  const url = part['url']
  const found = typeof url === 'string' ? dataUrl.exec(url) : null
  if (found === null)
    throw invalid('A file comes as a data: URL in base64; addresses are not fetched')
  const given = part['mediaType']
  const full = typeof given === 'string' ? given : (found[1] ?? '')
  // Browsers say the type of some files with their charset.
  const mediaType = (full.split(';')[0] ?? '').trim().toLowerCase()
  if (!allowed.test(mediaType))
    throw invalid(`Files of type ${mediaType.slice(0, 100)} are not taken`)
  const bytes = new Uint8Array(Buffer.from(found[2] ?? '', 'base64'))
  if (bytes.length > maxBytes) throw invalid(`A file has at most ${maxBytes} bytes`)
  if (!looksLike(mediaType, bytes))
    throw invalid(`The content of the file is not of its type: ${mediaType}`)
  const name = part['filename']
  return {
    type: 'file',
    mediaType,
    bytes,
    ...(typeof name === 'string' && name !== '' && { filename: name.slice(0, 200) }),
  }
}

/** The signature at the beginning, or after the size that some formats begin with. */
const marks: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8/,
  'image/webp': /^RIFF[^]{4}WEBP/,
  'application/pdf': /^%PDF/,
  'audio/wav': /^RIFF[^]{4}WAVE/,
  'audio/mp4': /^[^]{4}ftyp/,
}

/** By its first bytes, where its type has some. */
function looksLike(mediaType: string, bytes: Uint8Array): boolean {
  const first = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return ownValue(marks, mediaType)?.test(first) ?? true
}

function invalid(message: string): ToolError {
  return new ToolError('invalid_request', message)
}
