import type { QueryClient } from '@tanstack/react-query'
import { staleQueries } from '../api/stale-queries.ts'
import { liveEvents } from './live-events.ts'

/** At once for the first of a burst, then at most so often: a busy crib must not keep a tab asking. */
const pauseMs = 1000

/** Makes what is on the screen follow the log. Returns the way to stop. */
export function keepFresh(queryClient: QueryClient): () => void {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = 0
  const refresh = () => {
    timer = undefined
    lastAt = Date.now()
    for (const kind of waiting) void queryClient.invalidateQueries({ queryKey: [kind] })
    waiting.clear()
  }
  const unsubscribe = liveEvents.subscribe(({ type }) => {
    for (const kind of staleQueries[type] ?? []) waiting.add(kind)
    if (waiting.size === 0 || timer !== undefined) return
    timer = setTimeout(refresh, Math.max(30, pauseMs - (Date.now() - lastAt)))
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
