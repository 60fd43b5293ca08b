import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { decodeText } from './files/file-kind.ts'
import { fileAddress, readBytes } from './workspace-bytes.ts'
import type { WorkspaceFile, WorkspaceMode } from './workspace-types.ts'

/** The most entries of a folder that a tree shows. */
const mostEntries = 1000

/** A page of the workspaces, the newest first. */
export function readWorkspaces(query: {
  sessionId?: string
  agent?: string
  after?: string
  limit?: number
}) {
  return read(api.GET('/api/v1/workspaces', { params: { query } }))
}

/** The workspace of a session, if it has one. */
export function sessionWorkspaceQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['workspaces', 'of', sessionId],
    queryFn: async () => {
      const { items } = await readWorkspaces({ sessionId, limit: 1 })
      return items[0] ?? null
    },
  })
}

export function workspaceQuery(id: string) {
  return queryOptions({
    queryKey: ['workspaces', id, 'facts'],
    queryFn: () => read(api.GET('/api/v1/workspaces/{id}', { params: { path: { id } } })),
  })
}

/** The content of one folder; the root is an empty path. */
export function folderQuery(id: string, path: string) {
  return queryOptions({
    queryKey: ['workspaces', id, 'folder', path],
    queryFn: () =>
      read(
        api.GET('/api/v1/workspaces/{id}/files', {
          params: {
            path: { id },
            query: { limit: mostEntries, ...(path !== '' && { path }) },
          },
        }),
      ),
  })
}

/** A file to look at. It is read again when it has changed. */
export function filePreviewQuery(id: string, { path, bytes, modifiedAt }: WorkspaceFile) {
  return queryOptions({
    queryKey: ['workspace-file', id, path, bytes, modifiedAt],
    queryFn: async ({ signal }) => {
      const blob = await readBytes(fileAddress(id, path), signal)
      return { blob, text: decodeText(await blob.arrayBuffer()) }
    },
    structuralSharing: false,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

export function changesQuery(id: string) {
  return queryOptions({
    queryKey: ['workspaces', id, 'changes'],
    queryFn: () => read(api.GET('/api/v1/workspaces/{id}/changes', { params: { path: { id } } })),
  })
}

export function setMode(id: string, mode: WorkspaceMode) {
  return read(api.PATCH('/api/v1/workspaces/{id}', { params: { path: { id } }, body: { mode } }))
}

export function acceptChanges(id: string) {
  return read(api.POST('/api/v1/workspaces/{id}/accept', { params: { path: { id } } }))
}

export function removeWorkspace(id: string) {
  return read(api.DELETE('/api/v1/workspaces/{id}', { params: { path: { id } } }))
}

export function removeFile(id: string, path: string, { isRecursive }: { isRecursive: boolean }) {
  const query = isRecursive ? { path, recursive: 'true' as const } : { path }
  return read(api.DELETE('/api/v1/workspaces/{id}/file', { params: { path: { id }, query } }))
}
