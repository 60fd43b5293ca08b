import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type ToolSource = Api<'ToolSource'>

/** Everything that would miss a tool, for a message. */
export function usersOf({ tools, agents, schedules }: ToolSource['usedBy']): string[] {
  return [
    ...tools,
    ...agents.map((agent) => `agent ${agent}`),
    ...schedules.map((schedule) => `schedule ${schedule}`),
  ]
}
export type ToolFinding = Api<'ToolFinding'>

export const authoredQuery = (asked: { q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['studio', 'tools', asked],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/authored-tools', {
          params: { query: { ...asked, limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const draftsQuery = infiniteQueryOptions({
  queryKey: ['studio', 'drafts'],
  queryFn: ({ pageParam }) =>
    read(
      api.GET('/api/v1/tool-drafts', {
        params: { query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
})

export const sourceQuery = (name: string) =>
  queryOptions({
    queryKey: ['studio', 'source', name],
    queryFn: () => read(api.GET('/api/v1/tools/{name}/source', { params: { path: { name } } })),
    // A draft is edited here, and saved from here: another look would only be in its way.
    staleTime: Infinity,
  })

export const versionsQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: ['studio', 'versions', name],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/tools/{name}/versions', {
          params: { path: { name }, query: pageParam > 0 ? { after: pageParam } : {} },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next === undefined ? undefined : Number(next)),
  })

/** After a tool was published, changed or removed. */
export async function refreshStudio(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['studio'] }),
    client.invalidateQueries({ queryKey: ['tools'] }),
    client.invalidateQueries({ queryKey: ['tool'] }),
  ])
}
