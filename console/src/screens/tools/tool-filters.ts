import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCatchUp } from '../../api/catch-up.ts'
import { useCan } from '../../api/me.ts'

/** The filters of the library, as they are in the address. */
export interface ToolSearch {
  q?: string
  pack?: string
  effect?: string
  source?: string
  state?: string
}

const effects = ['read', 'write', 'destructive'] as const
const sources = ['builtin', 'code', 'authored', 'gateway', 'api', 'agent'] as const
const states = ['ready', 'misconfigured', 'quarantined'] as const

/** More than a screen shows, so that scrolling finds the next tools already loaded. */
const pageSize = 60
const figureDays = 14

/** The address may contain anything: invalid filters are ignored. */
export function toFilters(search: ToolSearch) {
  const effect = effects.find((one) => one === search.effect)
  const source = sources.find((one) => one === search.source)
  const state = states.find((one) => one === search.state)
  return {
    ...(search.q !== undefined && { q: search.q.slice(0, 200) }),
    ...(search.pack !== undefined && { pack: search.pack.slice(0, 200) }),
    ...(effect !== undefined && { effect }),
    ...(source !== undefined && { source }),
    ...(state !== undefined && { state }),
  }
}

/** The matching tools, page by page. */
export function useTools(search: ToolSearch) {
  const filters = toFilters(search)
  return useInfiniteQuery({
    queryKey: ['tools', 'library', filters],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/tools', {
          params: {
            query: { ...filters, limit: pageSize, ...(pageParam && { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** How many tools match, the packs, and how many tools are hidden from you. */
export function useToolCounts(search: ToolSearch) {
  const filters = toFilters(search)
  return useQuery({
    queryKey: ['tools', 'counts', filters],
    queryFn: () => read(api.GET('/api/v1/tool-counts', { params: { query: filters } })),
    placeholderData: keepPreviousData,
  })
}

const usageKey = ['usage', 'tools']

/** The usage of each tool by name; empty without permission to read it. */
export function useToolUsage(): ReadonlyMap<string, Api<'ToolUsage'>> {
  const mayRead = useCan('usage.read')
  useCatchUp(usageKey)
  const { data } = useQuery({
    queryKey: [...usageKey, figureDays],
    queryFn: () => read(api.GET('/api/v1/tool-usage', { params: { query: { days: figureDays } } })),
    enabled: mayRead,
    select: byTool,
  })
  return data ?? nothing
}

const nothing: ReadonlyMap<string, Api<'ToolUsage'>> = new Map()

function byTool({ items }: { items: Api<'ToolUsage'>[] }): ReadonlyMap<string, Api<'ToolUsage'>> {
  return new Map(items.map((usage) => [usage.tool, usage]))
}
