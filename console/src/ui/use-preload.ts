import { useEffect } from 'react'
import { overlays } from './dialog/overlays.ts'

/**
 * Loads a part that may be asked for next, once somebody moves in the tab: nothing of it stands in
 * the way of the first paint, and it is there before it is pressed for.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    // Whoever asks for the part itself is told when it can't be loaded.
    const begin = () => overlays.isWanted() && void load().catch(() => undefined)
    begin()
    const unsubscribe = overlays.subscribe(begin)
    return () => void unsubscribe()
  }, [load])
}
