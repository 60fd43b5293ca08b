import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { usePollMs } from '../../live/use-live.ts'

export type Approval = Api<'Approval'>

const pageSize = 50

/** A list of approvals. Pending ones are listed oldest first, so that none is forgotten; others newest first. */
export function useApprovals(status: Approval['status'] | undefined) {
  const refetchInterval = usePollMs()
  return useInfiniteQuery({
    queryKey: ['approvals', 'list', status ?? 'all'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/approvals', {
          params: {
            query: {
              limit: pageSize,
              ...(status !== undefined && { status }),
              ...(status === 'pending' && { order: 'oldest' as const }),
              ...(pageParam !== '' && { after: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}

interface ApprovalOptions {
  /** The list's copy, shown until the approval itself is loaded. */
  known?: Approval | undefined
  isWanted?: boolean
}

/** One approval, polled while someone else may decide it. */
export function useApproval(id: string, { known, isWanted = true }: ApprovalOptions = {}) {
  const refetchInterval = usePollMs()
  return useQuery({
    queryKey: ['approvals', 'one', id],
    queryFn: () => read(api.GET('/api/v1/approvals/{id}', { params: { path: { id } } })),
    enabled: isWanted,
    refetchInterval,
    ...(known !== undefined && { placeholderData: known }),
  })
}

/** The tool of an approval, or undefined: approvers need not be able to see it. */
export function useToolOf(name: string, isWanted = true) {
  return useQuery({ ...toolQuery(name), enabled: isWanted })
}

/** The tools of a list by name, as far as this person can see them. */
export function useToolsOf(names: readonly string[]): ReadonlyMap<string, Api<'ToolDetail'>> {
  return useQueries({
    queries: [...new Set(names)].slice(0, 50).map(toolQuery),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.name, data]] : []))),
  })
}

function toolQuery(name: string) {
  return {
    queryKey: ['tool', name],
    queryFn: () => read(api.GET('/api/v1/tools/{name}', { params: { path: { name } } })),
    staleTime: 60_000,
  }
}
