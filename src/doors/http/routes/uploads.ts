import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Upload } from '../../../core/uploads/upload.ts'
import { upload } from '../describe/upload-schemas.ts'
import { empty, json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { checkEncoding } from '../request/request-body.ts'
import { idParam } from '../request/route-params.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const id = { id: 'The id of the upload' }
const missing = { 404: { description: 'No such upload, or not yours' } }

const createUpload = defineRoute({
  method: 'post',
  path: '/api/v1/uploads',
  tag: 'Uploads',
  summary: 'Hand in a file for a tool',
  description:
    'The body is the file itself, with its own content type. The answer has a `uri`: give it as the value of a file field of a call. A file that no call uses goes after `uploads.keepHours`; a used one stays as long as its call, and one that a schedule names as long as that. Needs `tools.call`.',
  rawBody: 'application/octet-stream',
  query: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'What the file is called (file)' }),
  }),
  answers: {
    201: { description: 'It is kept', schema: upload },
    400: { description: 'The file is empty, or broke off' },
    413: { description: 'Larger than `uploads.maxBytes`' },
    415: { description: 'Sent as a form, compressed, or without a type' },
    429: { description: 'Too many come in at once, or the tenant has `uploads.tenantBytes`' },
  },
  async handle({ door, caller, query, request }) {
    const mediaType = fileType(request.header('content-type'))
    checkEncoding(request.header('content-encoding'))
    const made = await door.api.createUpload(caller, {
      ...query,
      mediaType,
      bytes: Number(request.header('content-length') ?? 0),
      content: wholeBody(request),
    })
    return json(201, made)
  },
})

const findUpload = defineRoute({
  method: 'get',
  path: '/api/v1/uploads/{id}',
  tag: 'Uploads',
  summary: 'Show what is known of a file',
  description: 'Of your own, and with `audit.read` of everybody’s.',
  params: id,
  answers: { 200: { description: 'The upload', schema: upload }, ...missing },
  async handle({ door, caller, request }) {
    return json(200, await door.api.findUpload(caller, idParam(request)))
  },
})

const readUpload = defineRoute({
  method: 'get',
  path: '/api/v1/uploads/{id}/content',
  tag: 'Uploads',
  summary: 'Read a file back',
  params: id,
  answers: {
    200: { description: 'Its bytes', schema: z.string(), types: ['application/octet-stream'] },
    ...missing,
  },
  async handle({ door, caller, request }) {
    const { upload: found, content } = await door.api.readUpload(caller, idParam(request))
    return fileReply(found, content)
  },
})

const deleteUpload = defineRoute({
  method: 'delete',
  path: '/api/v1/uploads/{id}',
  tag: 'Uploads',
  summary: 'Delete a file',
  description:
    'Calls that name it find it no more: one that waits fails, and none can be run again with it. One of somebody else needs `calls.manage`.',
  params: id,
  answers: { 204: { description: 'It is gone' }, ...missing },
  async handle({ door, caller, request }) {
    await door.api.deleteUpload(caller, idParam(request))
    return empty(204)
  },
})

/** Files for tools. */
export const uploadRoutes: readonly Route[] = [createUpload, findUpload, readUpload, deleteUpload]

const formType = /^(?:multipart\/|application\/x-www-form-urlencoded)/i

function fileType(type: string | undefined): string {
  if (type !== undefined && !formType.test(type)) return type
  const message =
    type === undefined
      ? 'The type of the file is missing'
      : 'A file is sent as the body itself, not as a form'
  throw new ToolError('unsupported_media_type', message, {
    fix: 'Send the bytes with their type, such as content-type: text/csv; application/octet-stream where it is not known.',
  })
}

/** What breaks off is no file: whoever reads this has to know. */
async function* wholeBody(request: HttpRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* request.readParts()
  } catch (cause) {
    const message = 'The body ended before it was complete'
    throw new ToolError('invalid_request', message, { cause })
  }
}

function fileReply({ name, mediaType, bytes }: Upload, content: AsyncIterable<Uint8Array>): Reply {
  // Names are said in any script; the plain one is for clients that know no better.
  const plain = name.replaceAll(/[^\w. -]/g, '_')
  return {
    status: 200,
    type: mediaType,
    body: ReadableStream.from(content),
    headers: [
      'content-length',
      String(bytes),
      // Somebody's file is not our page: a browser saves it, and runs nothing of it.
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`,
    ],
    contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
