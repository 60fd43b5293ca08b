/*
 * Calls per minute, counted in slices of five seconds. A slice counts until thirteen slices lie
 * between its start and now: any sixty seconds touch at most thirteen slices, so they never contain
 * more calls than the limit. The price is that capacity returns up to five seconds later than it
 * could.
 */

export const sliceMs = 5000
export const sliceCount = 13

/**
 * The count of one subject: the last slice with a change, and the numbers taken in it and in those
 * before.
 */
export interface Window {
  readonly slot: number
  /** Newest first, one for each slice. */
  readonly used: readonly number[]
}

export const emptyWindow: Window = Object.freeze({
  slot: 0,
  used: Object.freeze(Array.from({ length: sliceCount }, () => 0)),
})

/** The window advanced to this slice. If the clock was set back, everything counts from there. */
export function moveWindow(window: Window, to: number): Window {
  const { slot, used } = window
  if (to === slot) return window
  if (to < slot) return { slot: to, used: [totalOf(window), ...emptyWindow.used.slice(1)] }
  const passed = Math.min(to - slot, sliceCount)
  const kept = used.slice(0, sliceCount - passed)
  return { slot: to, used: [...Array.from({ length: passed }, () => 0), ...kept] }
}

/** Takes as many as possible, at most the number wanted. */
export function takeFromWindow(
  window: Window,
  ask: { slot: number; most: number; wanted: number },
): { window: Window; granted: number } {
  const moved = moveWindow(window, ask.slot)
  const granted = Math.max(0, Math.min(ask.wanted, ask.most - totalOf(moved)))
  const [newest = 0, ...older] = moved.used
  return { window: { slot: moved.slot, used: [newest + granted, ...older] }, granted }
}

/** Returns unused permits of a slice. For an expired slice nothing is returned. */
export function giveBack(window: Window, back: { slot: number; count: number }): Window {
  const age = window.slot - back.slot
  if (age < 0 || age >= sliceCount) return window
  return {
    slot: window.slot,
    used: window.used.map((count, index) =>
      index === age ? Math.max(0, count - back.count) : count,
    ),
  }
}

export function totalOf({ used }: Window): number {
  return used.reduce((sum, count) => sum + count, 0)
}

/** How long until there is capacity for one. Undefined if there never will be. */
export function msUntilFree(
  window: Window,
  { most, intoSliceMs }: { most: number; intoSliceMs: number },
): number | undefined {
  if (most <= 0) return undefined
  let excess = totalOf(window) - most + 1
  if (excess <= 0) return 0
  for (let age = sliceCount - 1; age >= 0; age -= 1) {
    excess -= window.used[age] ?? 0
    if (excess <= 0) return (sliceCount - age) * sliceMs - intoSliceMs
  }
  return sliceCount * sliceMs - intoSliceMs
}
