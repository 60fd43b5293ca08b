import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type McpServer = Api<'McpServer'>
export type McpTool = Api<'McpTool'>
export type DecidedTool = Api<'McpToolDecided'>
export type McpServerSpec = Api<'McpServerSpec'>

export const serversQuery = (asked: { q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['mcp-servers', 'list', asked],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/mcp-servers', {
          params: { query: { ...asked, limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // The event log does not report whether a server is up.
    refetchInterval: 10_000,
  })

export const serverQuery = (name: string) =>
  queryOptions({
    queryKey: ['mcp-servers', 'one', name],
    queryFn: () => read(api.GET('/api/v1/mcp-servers/{name}', { params: { path: { name } } })),
    refetchInterval: ({ state: { data } }) => (data?.state === 'connecting' ? 1000 : 10_000),
  })

export const serverToolsQuery = (name: string) =>
  queryOptions({
    queryKey: ['mcp-servers', 'tools', name],
    queryFn: () =>
      read(api.GET('/api/v1/mcp-servers/{name}/tools', { params: { path: { name } } })),
    select: ({ items }) => items,
  })

export const connectionsQuery = (name: string) =>
  queryOptions({
    queryKey: ['mcp-servers', 'connections', name],
    queryFn: () =>
      read(api.GET('/api/v1/mcp-servers/{name}/connections', { params: { path: { name } } })),
    select: ({ items }) => items,
  })
