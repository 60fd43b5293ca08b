import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type WorkspaceProcess = Api<'ProcessStatus'>

/** The background processes of a workspace. */
export function processesQuery(id: string) {
  return queryOptions({
    queryKey: ['processes', id],
    queryFn: () => read(api.GET('/api/v1/workspaces/{id}/processes', { params: { path: { id } } })),
  })
}

interface OutputPlace {
  id: string
  pid: number
  stream: 'stdout' | 'stderr'
  offset: number
}

/** A piece of what a process has written, from here on. */
export function readOutput({ id, pid, ...query }: OutputPlace): Promise<Api<'ProcessOutput'>> {
  return read(
    api.GET('/api/v1/workspaces/{id}/processes/{pid}/output', {
      params: { path: { id, pid: String(pid) }, query },
    }),
  )
}

export function killProcess(id: string, pid: number): Promise<WorkspaceProcess> {
  return read(
    api.POST('/api/v1/workspaces/{id}/processes/{pid}/kill', {
      params: { path: { id, pid: String(pid) } },
      body: {},
    }),
  )
}
