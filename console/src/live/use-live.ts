import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { liveEvents } from './live-events.ts'
import type { LiveEvent, LiveState } from './live-events.ts'

/** How the stream of this tab stands. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(liveEvents.subscribeState, liveEvents.state)
}

/** Calls back for every event of the log while the component is on the screen. */
export function useLiveEvents(onEvent: (event: LiveEvent) => void): void {
  const handle = useEffectEvent(onEvent)
  useEffect(() => {
    const unsubscribe = liveEvents.subscribe((event) => handle(event))
    return () => void unsubscribe()
  }, [])
}

/** For `refetchInterval`: ask again from time to time only where nothing tells us. */
export function usePollMs(everyMs = 5000): number | false {
  return useLiveState() === 'off' ? everyMs : false
}
