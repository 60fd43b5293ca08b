import { useSyncExternalStore } from 'react'
import { locale } from './locale.ts'

const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** A time as people say it, with the exact one on hover; it ages by itself. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={absolute.format(new Date(at))}>
      {sayAgo(Date.parse(at) - now)}
    </time>
  )
}

/** `3 min. ago`, `in 2 hr.`, `now`. */
export function sayAgo(differenceMs: number): string {
  const size = Math.abs(differenceMs)
  const [unit, unitMs] = units.find(([, ms]) => size >= ms) ?? ['second', 1000]
  return relative.format(Math.trunc(differenceMs / unitMs), unit)
}

export { sayDuration } from './duration.ts'

const ticks = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The time, once a second for everybody who shows one. */
export function useNow(): number {
  return useSyncExternalStore(onTick, () => now)
}

function onTick(listener: () => void): () => void {
  ticks.add(listener)
  // Nobody was looking at the clock: it may have stood still for long.
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
