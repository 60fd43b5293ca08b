/** The authoritative time: it decides when something is due, expires or may be removed. */
export interface Clock {
  /** Milliseconds since 1970. Never goes back. */
  now(): number
}

/** The sources of a clock. Both are read every time. */
export interface ClockSources {
  /** The authoritative time, as far as it is known now. It may jump. */
  reference(): number
  /** Milliseconds of a clock that nobody can set. */
  monotonic(): number
}

/** Its speed while it is ahead. */
const slowShare = 0.5

/**
 * A clock that follows its reference and never goes back. If the reference is ahead (after a sleep,
 * or a correction), it jumps there at once, so that nothing due is delayed. If the reference was
 * set back, it runs at half speed until the two meet: something due in five seconds happens in ten,
 * instead of two hours later, and no moment occurs twice.
 */
export function createClock({ reference, monotonic }: ClockSources): Clock {
  let shown = reference()
  let lookedAt = monotonic()
  return {
    now() {
      const at = monotonic()
      const passed = Math.max(0, at - lookedAt)
      lookedAt = at
      shown = Math.max(reference(), shown + passed * slowShare)
      return Math.floor(shown)
    },
  }
}
