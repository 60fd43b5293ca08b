import { notificationsStore } from '@mantine/notifications'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ComponentType } from 'react'
import { session } from '../api/session.ts'
import { overlays } from '../ui/dialog/overlays.ts'

/** After looking at a screen this long, people act next. */
const lookedAtMs = 8000
const firstMoves = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'] as const

/** Where notices, dialogs and the palette appear, once there is a need for any of them. */
export function OverlayPlace() {
  const isWanted = useSyncExternalStore(overlays.subscribe, overlays.isWanted)
  const [found, setFound] = useState<{ Loaded: ComponentType }>()
  useEffect(wantWhenNeeded, [])
  useEffect(() => {
    if (!isWanted || found !== undefined) return
    // The server may be down: the screen stays usable.
    void import('./overlay-set.tsx').then(
      ({ OverlaySet }) => setFound({ Loaded: OverlaySet }),
      () => overlays.fail(),
    )
  }, [isWanted, found])
  return found === undefined ? null : <found.Loaded />
}

/**
 * Someone who moves may soon press something, and its result must be shown even if the server is down by
 * then.
 */
function wantWhenNeeded(): () => void {
  const seen = new AbortController()
  const { signal } = seen
  for (const kind of firstMoves) {
    window.addEventListener(kind, overlays.want, { signal, once: true, passive: true })
  }
  const timer = setTimeout(overlays.want, lookedAtMs)
  const stopNotices = notificationsStore.subscribe(overlays.want)
  const stopSession = session.subscribe(overlays.want)
  return () => {
    seen.abort()
    clearTimeout(timer)
    stopNotices()
    stopSession()
  }
}
