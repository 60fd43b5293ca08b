import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { liveEvents } from './live-events.ts'
import type { LiveEvent, LiveState } from './live-events.ts'

/** The state of this tab's stream. */
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

/** For `refetchInterval`: polls only while there is no live stream. */
export function usePollMs(everyMs = 5000): number | false {
  return useLiveState() === 'off' ? everyMs : false
}
