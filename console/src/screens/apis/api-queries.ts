import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type ImportedApi = Api<'Api'>
export type ApiTool = Api<'ApiTool'>
export type ApiPreview = Api<'ApiPreview'>
export type ApiScheme = Api<'ApiScheme'>
export type ApiRequest = Api<'ApiRequest'>
export type DecidedApiTool = Api<'ApiToolDecided'>

export const apisQuery = (asked: { q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['apis', 'list', asked],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/apis', {
          params: { query: { ...asked, limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const apiQuery = (name: string) =>
  queryOptions({
    queryKey: ['apis', 'one', name],
    queryFn: () => read(api.GET('/api/v1/apis/{name}', { params: { path: { name } } })),
  })

export const apiToolsQuery = (name: string) =>
  queryOptions({
    queryKey: ['apis', 'tools', name],
    queryFn: () => read(api.GET('/api/v1/apis/{name}/tools', { params: { path: { name } } })),
    select: ({ items }) => items,
  })

/** After a change of an API: its state, its operations, and what agents see of them. */
export async function refreshApis(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    ['apis', 'tools', 'explain'].map((kind) => queryClient.invalidateQueries({ queryKey: [kind] })),
  )
}
