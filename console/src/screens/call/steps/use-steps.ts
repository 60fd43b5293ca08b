import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'

const stepsKind = 'call-steps'

interface Following {
  isRunning: boolean
  /** Changes whenever the nested calls may have changed. */
  changedAt: number
}

/** The steps of a composition; empty for any other call. */
export function useSteps(callId: string, { isRunning, changedAt }: Following) {
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: [stepsKind, callId, isRunning],
    placeholderData: keepPreviousData,
    queryFn: () => read(api.GET('/api/v1/calls/{id}/steps', { params: { path: { id: callId } } })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const follow = useEffectEvent((at: number) => {
    const isComposed = data !== undefined && data.items.length > 0
    if (isComposed && at > dataUpdatedAt) void refetch()
  })
  useEffect(() => follow(changedAt), [changedAt])
  return data?.items ?? noSteps
}

const noSteps: readonly Api<'CallStep'>[] = []

/** Which steps would run again from this one; fails with the reason if none can. */
export function useRerunPlan(callId: string, from: string) {
  return useQuery({
    queryKey: [stepsKind, callId, 'from', from],
    queryFn: () =>
      read(
        api.GET('/api/v1/calls/{id}/steps', { params: { path: { id: callId }, query: { from } } }),
      ),
    retry: false,
    // Another call may have undone a result in the meantime.
    gcTime: 0,
  })
}
