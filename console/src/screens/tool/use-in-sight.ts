import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * Scrolls a part of the page into view once its new content is rendered. With stacked columns it is
 * below the window; beside a long form it may be above.
 */
export function useInSight(part: RefObject<HTMLElement | null>): () => void {
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current || part.current === null) return
    isWanted.current = false
    const { top } = part.current.getBoundingClientRect()
    if (top < 0 || top > window.innerHeight / 2) part.current.scrollIntoView({ block: 'start' })
  })
  return () => void (isWanted.current = true)
}
