import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Near enough to the end to want to stay there. */
const nearPx = 24

/**
 * Keeps the end of a growing text in sight until somebody scrolls up, and again when they return to the
 * end or ask for it.
 */
export function useFollowEnd(isLive: boolean, content: string) {
  const boxRef = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  const seen = useRef<string>(undefined)
  // After every draw: only one with more text, or the wish to follow, moves it.
  useLayoutEffect(() => {
    const box = boxRef.current
    if (!isLive || !isFollowing || box === null || seen.current === content) return
    seen.current = content
    box.scrollTop = box.scrollHeight
  })
  useEffect(() => {
    const box = boxRef.current
    if (!isLive || box === null) return
    const onScroll = () =>
      setFollowing(box.scrollHeight - box.scrollTop - box.clientHeight < nearPx)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => box.removeEventListener('scroll', onScroll)
  }, [isLive])
  function follow(): void {
    seen.current = undefined
    setFollowing(true)
  }
  return { boxRef, isFollowing, follow }
}
