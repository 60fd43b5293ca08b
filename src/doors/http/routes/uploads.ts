import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { askOperation } from '../../../features/ask-operation.ts'
import { uploadOperations } from '../../../features/uploads/operations.ts'
import { upload } from '../../../features/uploads/schemas.ts'
import { workspaceFileOperations } from '../../../features/workspaces/file-operations.ts'
import { fileQuery, workspaceEntry } from '../../../features/workspaces/schemas.ts'
import { json } from '../reply.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { toQueryObject } from '../request/query-object.ts'
import { checkEncoding } from '../request/request-body.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const { createUpload } = uploadOperations
const { writeWorkspaceFile } = workspaceFileOperations

/** Takes a file as the body. */
export const uploadRoute: Route = defineRoute({
  method: 'post',
  path: '/api/v1/uploads',
  tag: 'Uploads',
  summary: createUpload.summary,
  description: `${createUpload.description} Needs \`tools.call\`.`,
  rawBody: 'application/octet-stream',
  query: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'The name of the file (file)' }),
  }),
  answers: {
    201: { description: 'The upload', schema: upload },
    400: { description: 'The file is empty or incomplete' },
    413: { description: 'Larger than `uploads.maxBytes`' },
    415: { description: 'Sent as a form, compressed, or without a type' },
    429: {
      description: 'Too many uploads at once, or the tenant has reached `uploads.tenantBytes`',
    },
  },
  async handle({ door, caller, query, request }) {
    const mediaType = fileType(request.header('content-type'))
    checkEncoding(request.header('content-encoding'))
    const bytes = Number(request.header('content-length') ?? 0)
    const file = { ...query, mediaType, bytes, content: wholeBody(request) }
    const from = { api: door.api, caller }
    return json(201, await askOperation(from, 'createUpload', file))
  },
})

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

/** Takes a file for a workspace as the body. */
export const workspaceFileRoute: Route = defineRoute({
  method: 'put',
  path: '/api/v1/workspaces/{id}/file',
  tag: 'Workspaces',
  summary: writeWorkspaceFile.summary,
  description: writeWorkspaceFile.description ?? '',
  rawBody: 'application/octet-stream',
  params: { id: 'The id of the workspace' },
  query: z.strictObject({ path: fileQuery.shape.path }),
  // The operation checks the permission first.
  parsesItself: true,
  answers: {
    200: { description: 'The file', schema: workspaceEntry },
    400: { description: 'The file is incomplete' },
    415: { description: 'Sent as a form, compressed, or without a type' },
    429: { description: 'It does not fit into the workspace' },
  },
  async handle({ door, caller, request }) {
    fileType(request.header('content-type'))
    checkEncoding(request.header('content-encoding'))
    const query = toQueryObject(request.url) as { path: string }
    const file = { ...query, id: request.param('id') ?? '', content: wholeBody(request) }
    return json(200, await askOperation({ api: door.api, caller }, 'writeWorkspaceFile', file))
  },
})

/** An incomplete body must not pass for a file. */
async function* wholeBody(request: HttpRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* request.readParts()
  } catch (cause) {
    const message = 'The body ended before it was complete'
    throw new ToolError('invalid_request', message, { cause })
  }
}
