import { useSyncExternalStore } from 'react'
import { formatExactDateTime } from './format/format-date-time.ts'
import { formatTimeAgo } from './format/format-time-ago.ts'

/** A relative time, with the exact one on hover; it updates by itself. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatExactDateTime(at)}>
      {formatTimeAgo(Date.parse(at), now)}
    </time>
  )
}

export { formatDuration } from './format/format-duration.ts'

const ticks = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The time, once a second for everybody who shows one. */
export function useNow(): number {
  return useSyncExternalStore(onTick, () => now)
}

function onTick(listener: () => void): () => void {
  ticks.add(listener)
  // The clock was paused: it may be far behind.
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tick of ticks) tick()
  }, 1000)
  return () => {
    ticks.delete(listener)
    if (ticks.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
