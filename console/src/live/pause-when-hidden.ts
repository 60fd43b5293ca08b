import type { QueryClient } from '@tanstack/react-query'
import { liveEvents } from './live-events.ts'

/** Somebody who comes back sooner finds everything as it is. */
const hiddenForMs = 30_000

/**
 * A browser has six connections to a server for all tabs together, and each stream takes one: a
 * seventh tab would wait for ever. So a tab that nobody looks at gives its own back, and asks for
 * what is on its screen when it is looked at again. Returns the way to stop.
 */
export function pauseWhenHidden(queryClient: QueryClient, afterMs = hiddenForMs): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopWaiting = () => {}
  let isResting = false
  const rest = () => {
    isResting = true
    liveEvents.rest()
  }
  const look = () => {
    clearTimeout(timer)
    stopWaiting()
    if (document.visibilityState === 'hidden') {
      if (!isResting) timer = setTimeout(rest, afterMs)
      return
    }
    if (!isResting) return
    isResting = false
    // Only once the stream is open: neither would report events before that.
    stopWaiting = onceTold(() => void queryClient.invalidateQueries())
    liveEvents.start()
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    clearTimeout(timer)
    stopWaiting()
  }
}

function onceTold(then: () => void): () => void {
  const unsubscribe = liveEvents.subscribeState(() => {
    if (liveEvents.state() !== 'live' && liveEvents.state() !== 'off') return
    unsubscribe()
    then()
  })
  return () => void unsubscribe()
}
