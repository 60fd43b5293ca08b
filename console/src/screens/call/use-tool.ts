import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

/** The tool of a call; undefined while it loads, and if it was removed or is hidden. */
export function useTool(name: string): Api<'ToolDetail'> | undefined {
  return useQuery({
    queryKey: ['tool', name],
    queryFn: () => read(api.GET('/api/v1/tools/{name}', { params: { path: { name } } })),
    retry: false,
    enabled: name !== '',
  }).data
}
