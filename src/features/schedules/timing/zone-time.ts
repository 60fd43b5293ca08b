const zones = new Map<string, Intl.DateTimeFormat>()
/** There are about 600 names; many more can only be invalid ones. */
const mostZones = 1000

/** True for a name of a time zone that this platform knows (`Europe/Berlin`, `UTC`). */
export function isTimezone(name: string): boolean {
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** The local wall-clock time at a moment, as milliseconds without a zone. */
export function toLocalMs(timezone: string, ms: number): number {
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) + mod(ms, 1000)
}

/**
 * The moment of a local time; the first if it occurs twice. If it never occurs because the clock skips
 * it, the moment moved later by the skipped time, and how much was skipped.
 */
export function fromLocalMs(timezone: string, localMs: number): { ms: number; gapMs: number } {
  const before = offsetAt(timezone, localMs - dayMs)
  const after = offsetAt(timezone, localMs + dayMs)
  const moments = [localMs - before, localMs - after].sort((one, other) => one - other)
  const exact = moments.find((ms) => toLocalMs(timezone, ms) === localMs)
  if (exact !== undefined) return { ms: exact, gapMs: 0 }
  return { ms: localMs - before, gapMs: after - before }
}

/** The clock is put forward or back: until `atMs` it is ahead of UTC by `beforeMs`, from then by `afterMs`. */
export interface ZoneShift {
  atMs: number
  beforeMs: number
  afterMs: number
}

/** The shift after `fromMs` and up to `toMs`, which must be too close for two. */
export function findShift(timezone: string, fromMs: number, toMs: number): ZoneShift | undefined {
  const beforeMs = offsetAt(timezone, fromMs)
  const afterMs = offsetAt(timezone, toMs)
  if (beforeMs === afterMs) return undefined
  let [low, high] = [fromMs, toMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(timezone, middle) === beforeMs) low = middle
    else high = middle
  }
  return { atMs: high, beforeMs, afterMs }
}

const dayMs = 86_400_000

function offsetAt(timezone: string, ms: number): number {
  return toLocalMs(timezone, ms) - ms
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = zones.get(timezone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (zones.size >= mostZones) zones.clear()
  zones.set(timezone, format)
  return format
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by
}
