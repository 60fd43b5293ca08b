import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { overlays } from '../ui/dialog/overlays.ts'
import { places } from './places.ts'
import { openPalette } from './search-button.tsx'

/** `?` shows the keys; `g` and a letter go places. Never while somebody types. */
export function Shortcuts() {
  const router = useRouter()
  const isGoing = useRef(false)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isPaletteKey(event)) {
      event.preventDefault()
      void openPalette()
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    if (event.key === '?') return void showKeys()
    if (event.key === 'g' && !isGoing.current) {
      isGoing.current = true
      setTimeout(() => (isGoing.current = false), 1000)
      return
    }
    const place = isGoing.current && places.find(({ key }) => key === event.key)
    isGoing.current = false
    if (place) void router.navigate({ to: place.to })
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return null
}

/** The one key that also works while somebody types. */
function isPaletteKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (metaKey || ctrlKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

async function showKeys(): Promise<void> {
  const there = await overlays.ready()
  there.showKeys()
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
