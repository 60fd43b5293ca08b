import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLiveEvents } from '../live/use-live.ts'

const settles = new Set(['call.completed', 'call.failed', 'call.cancelled'])
const pauseMs = 500

/** A call of the session that has ended may have changed files: they are read again, once per burst. */
export function useRefreshOnCalls(sessionId: string | undefined): void {
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents((event) => {
    if (!settles.has(event.type) || event.sessionId !== sessionId) return
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
      pauseMs,
    )
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}
