import { z } from 'zod'
import { operationsOf } from '../../core/operations/operation.ts'
import type { WorkspaceEntry } from '../../core/kernel/context/workspace.ts'
import { readUploadPages } from '../../core/uploads/read-upload.ts'
import { isUploadId, mayReadUpload, uploadNotFound } from '../../core/uploads/upload.ts'
import { putBeside } from './attachments/put-beside.ts'
import { safeFileName } from './attachments/safe-file-name.ts'
import { zipWorkspace } from './archive/zip-workspace.ts'
import { openFor, openToChange } from './find-workspace.ts'
import type { WorkspaceOperationParts } from './parts.ts'
import { deleteQuery, fileQuery, uploadIntoWorkspace, workspaceEntry } from './schemas.ts'

/** A file with its bytes, in pages. */
export interface WorkspaceFileContent {
  entry: WorkspaceEntry
  /** Read it to its end, or call `return()`: the file is open until then. */
  content: AsyncIterableIterator<Uint8Array>
}

/** A zip of a workspace, in pieces. */
export interface WorkspaceArchive {
  name: string
  content: AsyncIterable<Uint8Array>
}

const define = operationsOf<WorkspaceOperationParts>('Workspaces')
const params = { id: 'The id of the workspace' }
const own = 'Of your own workspace; with `workspaces.read`, of any.'
const changed =
  'In your own workspace with `tools.call`; with `workspaces.write`, in any. Refused with `denied` while it is read-only.'
const bytes = { types: ['application/octet-stream'], item: z.string() }

const readWorkspaceFile = define({
  http: 'GET /api/v1/workspaces/{id}/file',
  summary: 'Download a file of a workspace',
  description: own,
  needs: 'signed-in',
  agents: 'own',
  params,
  query: fileQuery,
  answer: { description: 'Its bytes', schema: z.custom<WorkspaceFileContent>(), stream: bytes },
  async run({ id, path }, { caller, parts }) {
    const { files } = await openFor(parts, caller, id)
    return files.open(path)
  },
})

/** The HTTP route takes the file itself as the body. */
const writeWorkspaceFile = define({
  http: 'PUT /api/v1/workspaces/{id}/file',
  summary: 'Put a file into a workspace',
  description: `The body is the file itself. It replaces a file of this path as a whole. ${changed}`,
  needs: 'signed-in',
  agents: 'none',
  isServedByHand: true,
  params,
  query: fileQuery.pick({ path: true }),
  body: z.strictObject({
    content: z.custom<AsyncIterable<Uint8Array>>(
      (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
      'must be bytes',
    ),
  }),
  answer: { description: 'The file', schema: workspaceEntry },
  async run({ id, path, content }, { caller, parts }) {
    const { files } = await openToChange(parts, caller, id)
    return files.receive(path, content)
  },
})

const putUploadIntoWorkspace = define({
  http: 'POST /api/v1/workspaces/{id}/uploads',
  summary: 'Put an uploaded file into a workspace',
  description: `Under its own name it replaces no other file: a name that is taken gets a number. ${changed}`,
  needs: 'signed-in',
  agents: 'none',
  params,
  body: uploadIntoWorkspace,
  answer: { description: 'The file', schema: workspaceEntry },
  async run({ id, upload, path }, { caller, parts }) {
    const { uploads } = parts
    const found = isUploadId(upload) ? await uploads.find(caller.tenant, upload) : undefined
    if (found === undefined || !mayReadUpload(caller, found)) throw uploadNotFound(upload)
    const { files } = await openToChange(parts, caller, id)
    const content = () => readUploadPages(uploads, caller.tenant, found)
    if (path !== undefined) return files.receive(path, content())
    return putBeside(files, safeFileName(found.name, found.mediaType), { content })
  },
})

const deleteWorkspaceFile = define({
  http: 'DELETE /api/v1/workspaces/{id}/file',
  summary: 'Delete a file or folder of a workspace',
  description: changed,
  needs: 'signed-in',
  agents: 'none',
  params,
  query: deleteQuery,
  async run({ id, path, recursive = false }, { caller, parts }) {
    const { files } = await openToChange(parts, caller, id)
    await files.delete(path, { recursive })
  },
})

const downloadWorkspace = define({
  http: 'GET /api/v1/workspaces/{id}/archive',
  summary: 'Download a workspace as a zip',
  description: `Links and special files are left out. ${own}`,
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: {
    description: 'A zip with its files',
    schema: z.custom<WorkspaceArchive>(),
    stream: { ...bytes, types: ['application/zip'] },
  },
  async run({ id }, { caller, parts: { workspaces, config } }) {
    const { files } = await openFor({ workspaces }, caller, id)
    return { name: `${id}.zip`, content: await zipWorkspace(files, config) }
  },
})

/** The files of workspaces, by library method. */
export const workspaceFileOperations = {
  readWorkspaceFile,
  writeWorkspaceFile,
  putUploadIntoWorkspace,
  deleteWorkspaceFile,
  downloadWorkspace,
}
