import type { ArtifactPage } from '../../core/kernel/artifact.ts'
import { wholeCharacters } from '../../core/kernel/text/utf8.ts'
import { json, type Reply } from './reply.ts'

/** A page of an artifact: its bytes, or text in JSON for clients that accept that. */
export function artifactReply(page: ArtifactPage, accept: string | undefined): Reply {
  return accept?.includes('application/json') === true ? textPage(page) : bytePage(page)
}

function bytePage({ id, bytes, mediaType, offset, chunk }: ArtifactPage): Reply {
  const end = offset + chunk.byteLength
  const place = chunk.byteLength === 0 ? '*' : `${offset}-${end - 1}`
  return {
    status: 200,
    type: mediaType,
    body: new Uint8Array(chunk),
    headers: [
      'content-range',
      `bytes ${place}/${bytes}`,
      // A tool's output is not our page: a browser saves it, and runs nothing of it.
      'content-disposition',
      `attachment; filename="${id.replaceAll(/[^\w.-]/g, '_')}"`,
    ],
    contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}

function textPage({ id, bytes, mediaType, offset, chunk }: ArtifactPage): Reply {
  const isLast = offset + chunk.byteLength >= bytes
  const length = isLast ? chunk.byteLength : wholeCharacters(chunk)
  const text = new TextDecoder().decode(chunk.subarray(0, length))
  const next = isLast ? undefined : offset + length
  return json(200, { id, bytes, mediaType, offset, text, next })
}
