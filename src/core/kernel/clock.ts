/** The time that decides: when something is due, expires or may be removed. */
export interface Clock {
  /** Milliseconds since 1970. Never goes back. */
  now(): number
}

/** What a clock goes by. Both are asked every time. */
export interface ClockSources {
  /** The time that counts, as far as it is known now. It may jump. */
  reference(): number
  /** Milliseconds by a clock that nobody can set. */
  monotonic(): number
}

/** How fast it runs while it is ahead. */
const slowShare = 0.5

/**
 * A clock that follows its reference without ever going back. Where the reference is ahead (after a
 * sleep, or a correction), it goes there at once: nothing that is due is kept waiting. Where the
 * reference was put back, it runs at half speed until the two meet: what is due in five seconds comes
 * in ten, instead of two hours later, and no moment comes twice.
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
