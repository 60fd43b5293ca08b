import { z } from 'zod'
import type { ArtifactPage } from '../../../core/kernel/artifact.ts'
import { wholeCharacters } from '../../../core/kernel/text/utf8.ts'
import { count } from '../../../core/operations/query-fields.ts'
import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { idParam } from '../request/route-params.ts'

const maxPageBytes = 1_048_576

const artifactText = z
  .object({
    id: z.string(),
    bytes: z.int().meta({ description: 'Size of the whole artifact' }),
    mediaType: z.string(),
    offset: z.int(),
    text: z.string(),
    next: z.int().optional().meta({ description: 'The offset to read on from; absent at the end' }),
  })
  .meta({ id: 'ArtifactText' })

/** The full output of a call whose answer was cut. */
export const artifactRoute: Route = defineRoute({
  method: 'get',
  path: '/api/v1/calls/{id}/artifact',
  tag: 'Calls',
  summary: "Read a call's full output",
  description:
    'Bytes from `offset`, with their place in `Content-Range`. With `Accept: application/json` the page comes as text in JSON, cut between characters, with the offset to read on from.',
  params: { id: 'The id of the call' },
  query: z.strictObject({
    offset: count('First byte (0)').optional(),
    limit: count(`Bytes in a page (65536); at most ${maxPageBytes}`).optional(),
    artifact: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'One that the output speaks of, such as a picture' }),
  }),
  answers: {
    200: {
      description: 'A page of the artifact',
      schema: artifactText,
      types: ['application/json', 'application/octet-stream'],
      headers: { 'Content-Range': 'Place of this page in the whole' },
    },
    404: { description: 'No such call, or its answer was not cut' },
  },
  async handle({ door, caller, query, request }) {
    const limit = Math.min(Math.max(1, query.limit ?? 65_536), maxPageBytes)
    const { offset = 0, artifact } = query
    const range = { offset, limit, ...(artifact !== undefined && { artifact }) }
    const page = await door.api.readArtifact(caller, idParam(request), range)
    const accept = request.header('accept')
    return accept !== undefined && accept.includes('application/json')
      ? textPage(page)
      : bytePage(page)
  },
})

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
