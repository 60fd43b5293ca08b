import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

/** The tool of a call as it is now; undefined while it loads, and where it is gone or hidden. */
export function useTool(name: string): Api<'ToolDetail'> | undefined {
  return useQuery({
    queryKey: ['tool', name],
    queryFn: () => read(api.GET('/api/v1/tools/{name}', { params: { path: { name } } })),
    retry: false,
    enabled: name !== '',
  }).data
}
