import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { pageOf, pageQuery } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { readUploadPages } from '../../core/uploads/read-upload.ts'
import type { UploadStore } from '../../core/uploads/upload-store.ts'
import {
  isOwnUpload,
  isUploadId,
  mayReadUpload,
  type Upload,
  uploadNotFound,
} from '../../core/uploads/upload.ts'
import type { FileReceiver } from './receive-file.ts'
import { upload, uploadRequest } from './schemas.ts'

/** The dependencies of the operations on uploads. */
export interface UploadParts {
  uploads: UploadStore
  receive: FileReceiver
}

/** An upload with its bytes, in chunks. */
export interface UploadContent {
  upload: Upload
  content: AsyncIterable<Uint8Array>
}

const define = operationsOf<UploadParts>('Uploads')
const params = { id: 'The id of the upload' }
const refusals = { 404: 'No such upload, or not yours' }

/** The HTTP route takes the file itself as the body. */
const createUpload = define({
  http: 'POST /api/v1/uploads',
  summary: 'Upload a file for a tool',
  description:
    'The body is the file itself, with its own content type. The answer has a `uri`: pass it as the value of a file field of a call. A file that no call uses is deleted after `uploads.keepHours`; a used one is kept as long as its call, and one that a schedule names as long as the schedule.',
  needs: 'tools.call',
  agents: 'own',
  isServedByHand: true,
  body: uploadRequest,
  answer: { status: 201, description: 'The upload', schema: upload },
  run: (request, { caller, parts }) => parts.receive(caller, request),
})

const listUploads = define({
  http: 'GET /api/v1/uploads',
  summary: 'List uploaded files',
  description: 'Your own, newest first; with `audit.read`, those of everybody.',
  needs: 'signed-in',
  agents: 'own',
  query: pageQuery(50, 500, 'upl'),
  answer: { description: 'A page of uploads', schema: pageOf(upload) },
  run(query, { caller, parts }) {
    const { tenant, principal, onBehalfOf, agent } = caller
    // Uploads belong to no agent, so a caller that is bound to one sees only its own.
    const seesAll = agent === undefined && holds(caller, 'audit.read')
    const principals = onBehalfOf === undefined ? [principal] : [principal, onBehalfOf]
    return parts.uploads.list(tenant, { ...query, ...(!seesAll && { principals }) })
  },
})

const findUpload = define({
  http: 'GET /api/v1/uploads/{id}',
  summary: 'Read the facts of an upload',
  description: 'Your own; with `audit.read`, of everybody.',
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: { description: 'The upload', schema: upload },
  refusals,
  run: ({ id }, { caller, parts }) => find(parts, caller, id),
})

const readUpload = define({
  http: 'GET /api/v1/uploads/{id}/content',
  summary: 'Download an uploaded file',
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: {
    description: 'Its bytes',
    schema: z.custom<UploadContent>(),
    stream: { types: ['application/octet-stream'], item: z.string() },
  },
  refusals,
  async run({ id }, { caller, parts }) {
    const found = await find(parts, caller, id)
    return { upload: found, content: readUploadPages(parts.uploads, caller.tenant, found) }
  },
})

const deleteUpload = define({
  http: 'DELETE /api/v1/uploads/{id}',
  summary: 'Delete an uploaded file',
  description:
    "Calls that name it no longer find it: a waiting one fails, and none can be run again with it. To delete somebody else's, you need `calls.manage`.",
  needs: 'signed-in',
  agents: 'own',
  params,
  refusals,
  async run({ id }, { caller, parts }) {
    await find(parts, caller, id, mayDelete)
    const isGone = await parts.uploads.remove(caller.tenant, id, caller.principal)
    if (!isGone) throw uploadNotFound(id)
  },
})

/** Everything that can be done with uploads, by library method. */
export const uploadOperations = {
  createUpload,
  listUploads,
  findUpload,
  readUpload,
  deleteUpload,
}

async function find(
  { uploads }: UploadParts,
  caller: Caller,
  ...[id, mayKnow = mayReadUpload]: [string, typeof mayReadUpload?]
): Promise<Upload> {
  const found = isUploadId(id) ? await uploads.find(caller.tenant, id) : undefined
  if (found === undefined || !mayKnow(caller, found)) throw uploadNotFound(id)
  // Uploads belong to no agent, so a caller that is bound to one reaches only its own.
  if (caller.agent !== undefined && !isOwnUpload(caller, found)) throw uploadNotFound(id)
  return found
}

/** Permission to read someone's upload is not enough to delete it. */
function mayDelete(caller: Caller, found: Upload): boolean {
  return isOwnUpload(caller, found) || holds(caller, 'calls.manage')
}
