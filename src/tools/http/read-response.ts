import type { ArtifactReference } from '../../core/kernel/artifact-reference.ts'
import type { CallArtifacts } from '../../core/kernel/context/call-artifacts.ts'
import { decodePage, mediaTypeOf } from '../../core/net/decode-page.ts'
import { artifactTypeOf } from '../../core/net/artifact-type.ts'
import { cutText } from '../network/cut-text.ts'
import { fileNameOf } from '../../core/net/file-name.ts'
import { mediaKindOf } from '../../core/net/media-kind.ts'

/** A response as a tool gives it out. */
export interface ReceivedResponse {
  url: string
  status: number
  headers: { name: string; value: string }[]
  mediaType: string
  json: unknown
  text: string | null
  artifact: ArtifactReference | null
  bytes: number
  truncated: boolean
}

interface ReadOptions {
  url: string
  maxChars: number
  artifacts: CallArtifacts
}

/** Cookies are credentials of a session that nobody continues. */
const left = new Set(['set-cookie', 'set-cookie2'])

export async function readResponse(
  answer: Response,
  { url, maxChars, artifacts }: ReadOptions,
): Promise<ReceivedResponse> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const contentType = answer.headers.get('content-type')
  const mediaType = mediaTypeOf(contentType)
  const response: ReceivedResponse = {
    url,
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => !left.has(name))
      .map(([name, value]) => ({ name, value })),
    mediaType,
    json: null,
    text: null,
    artifact: null,
    bytes: bytes.length,
    truncated: false,
  }
  if (bytes.length === 0) return response
  const name = fileNameOf(url, answer.headers.get('content-disposition'))
  const save = (type: string) => artifacts.save({ name, mediaType: type, bytes })
  const kind = mediaKindOf(mediaType, bytes)
  if (kind === 'binary') {
    return { ...response, artifact: await save(artifactTypeOf(mediaType)) }
  }
  const whole = decodePage(bytes, contentType ?? '').replaceAll('\0', '')
  const json = kind === 'json' || mediaType === '' ? parse(whole) : undefined
  if (json !== undefined) return { ...response, json }
  const { text, next } = cutText(whole, 0, maxChars)
  if (next === null) return { ...response, text }
  const artifact = await save(artifactTypeOf(mediaType, 'text/plain'))
  return { ...response, text, truncated: true, artifact }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
