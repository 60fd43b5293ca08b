import { notificationsStore } from '@mantine/notifications'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ComponentType } from 'react'
import { session } from '../api/session.ts'
import { overlays } from '../ui/dialog/overlays.ts'

/** Whoever looks at a screen for so long will do something next. */
const lookedAtMs = 8000
const firstMoves = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'] as const

/** Where notices, dialogs and the palette appear, once there is a need for any of them. */
export function OverlayPlace() {
  const isWanted = useSyncExternalStore(overlays.subscribe, overlays.isWanted)
  const [found, setFound] = useState<{ Loaded: ComponentType }>()
  useEffect(wantWhenNeeded, [])
  useEffect(() => {
    if (!isWanted || found !== undefined) return
    // The server may be gone: that takes nothing away from what is on the screen.
    void import('./overlay-set.tsx').then(
      ({ OverlaySet }) => setFound({ Loaded: OverlaySet }),
      () => overlays.fail(),
    )
  }, [isWanted, found])
  return found === undefined ? null : <found.Loaded />
}

/** Whoever moves may press something soon, and what comes of it has to be said even if the server is gone by then. */
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
