import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCatchUp } from '../../api/catch-up.ts'
import { api, read } from '../../api/client.ts'
import { useLiveEvents } from '../../live/use-live.ts'

/**
 * Figures lag by a second and change slowly, so they are refetched at most this often while calls
 * settle. Their query key is not among those that every event invalidates.
 */
const pauseMs = 5000
const queryKey = ['usage-figures']

export function useUsage(from: string, mayRead: boolean) {
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents(({ type }) => {
    if (!/^call\.(?:completed|failed|denied|cancelled)$/.test(type)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void queryClient.invalidateQueries({ queryKey })
    }, pauseMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  useCatchUp(queryKey)
  return useQuery({
    queryKey: [...queryKey, 'day', from],
    queryFn: () => read(api.GET('/api/v1/usage', { params: { query: { from, by: 'day' } } })),
    placeholderData: keepPreviousData,
    enabled: mayRead,
  })
}
