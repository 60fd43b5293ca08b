import type { WorkspaceFiles } from '../../../core/host/workspace-disk.ts'
import type { Caller } from '../../../core/kernel/call.ts'
import type { WorkspaceEntry } from '../../../core/kernel/context/workspace.ts'
import type { OpenWorkspaces } from '../open-workspaces.ts'
import { putBytesBeside, type PutOptions } from './put-beside.ts'
import { safeFileName } from './safe-file-name.ts'

/** A file that came with a message. */
export interface KeptAttachment {
  name?: string | undefined
  mediaType: string
  bytes: Uint8Array
}

/** The folder for attachments: beside it, a hostile name can't pass for a file of a project. */
const folder = 'attachments'

/** Puts an attachment into a workspace and returns what is there now. */
export function putAttachment(
  files: WorkspaceFiles,
  { name, mediaType, bytes }: KeptAttachment,
  {
    path = `${folder}/${safeFileName(name, mediaType)}`,
    ...options
  }: PutOptions & { path?: string | undefined } = {},
): Promise<WorkspaceEntry> {
  return putBytesBeside(files, path, bytes, options)
}

/**
 * Puts attachments into the workspace that this caller works in, and returns their paths. An agent
 * that only reads gets them too: that is what it reads.
 */
export async function keepAttachments(
  { open }: Pick<OpenWorkspaces, 'open'>,
  caller: Caller,
  attachments: readonly KeptAttachment[],
): Promise<string[]> {
  const { files } = await open(caller)
  const paths: string[] = []
  for (const one of attachments)
    paths.push((await putAttachment(files, one, { isDelivery: true })).path)
  return paths
}
