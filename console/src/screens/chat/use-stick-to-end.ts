import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

const nearPx = 80

/** Scrolls to the end as content grows, unless the reader has scrolled up. */
export function useStickToEnd(): RefObject<HTMLElement | null> {
  const region = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = region.current
    if (element === null) return
    const onScroll = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      isAtEnd.current = left < nearPx
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [])
  // After every render, whatever changed the height.
  useLayoutEffect(() => {
    const element = region.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  })
  return region
}
