import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { runtimes } from '../../../api/enums.ts'

export type Agent = Api<'Agent'>
export type AgentSummary = Api<'AgentSummary'>
export type AgentTool = Api<'AgentTool'>
export type Decision = AgentTool['decision']

/** The caller and context in which an agent's tools are explained. */
export interface Look {
  runtime?: Runtime
  as?: string
  skill?: string
  /** Applies the data labels that this session has seen. */
  session?: string
}

export type Runtime = (typeof runtimes)[number]

export const runtimeWords: Record<Runtime, string> = {
  chat: 'Chat',
  task: 'Task',
  webhook: 'Webhook',
  api: 'API',
  mcp: 'MCP',
  room: 'Room',
  subagent: 'Sub-agent',
  web: 'Console',
  cli: 'Command line',
}

/** The runtime of the address if it is valid, otherwise `chat`. */
export function asRuntime(text: string | undefined): Runtime {
  return runtimes.find((runtime) => runtime === text) ?? 'chat'
}

export const agentQuery = (slug: string) =>
  queryOptions({
    queryKey: ['agents', slug],
    queryFn: () => read(api.GET('/api/v1/agents/{slug}', { params: { path: { slug } } })),
  })

export const agentsQuery = (asked: { q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'list', asked],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/agents', {
          params: { query: { ...asked, limit: 48, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** How many tools an agent can use, needs approval for, and can't see. */
export const countsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['explain', 'counts', slug],
    queryFn: () =>
      read(
        api.GET('/api/v1/agents/{slug}/tools', {
          params: { path: { slug }, query: { runtime: 'chat', limit: 1 } },
        }),
      ),
    select: ({ counts }) => counts,
  })

interface ToolsQuery extends Look {
  q?: string
  decision?: Decision
}

export const agentToolsQuery = (slug: string, query: ToolsQuery) =>
  infiniteQueryOptions({
    queryKey: ['explain', 'tools', slug, query],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/agents/{slug}/tools', {
          params: {
            path: { slug },
            query: { ...query, limit: 100, ...(pageParam !== '' && { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const whyQuery = (agent: string, tool: string, look: Look) =>
  queryOptions({
    queryKey: ['explain', agent, tool, look],
    queryFn: () =>
      read(api.GET('/api/v1/explain', { params: { query: { agent, tool, ...look } } })),
    select: ({ items }) => items[0],
    placeholderData: keepPreviousData,
  })

/** Profiles, groups and packs that a policy can name. */
export const wordsQuery = queryOptions({
  queryKey: ['policies', 'words'],
  queryFn: () => read(api.GET('/api/v1/policy-words')),
})
