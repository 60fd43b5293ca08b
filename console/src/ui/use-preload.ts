import { useEffect } from 'react'
import { overlays } from './dialog/overlays.ts'

/**
 * Loads a part that may be needed next, on the first interaction in the tab: it does not delay the first
 * paint, and is ready before it is used.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    // The part itself reports when it can't be loaded.
    const begin = () => overlays.isWanted() && void load().catch(() => undefined)
    begin()
    const unsubscribe = overlays.subscribe(begin)
    return () => void unsubscribe()
  }, [load])
}
