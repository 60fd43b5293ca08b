const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Getting random bytes from the system costs about a microsecond however few they are, so they are
 * fetched in bulk.
 */
const poolBytes = 4096
const bytesPerId = 10

const source = {
  pool: new Uint8Array(poolBytes),
  position: poolBytes,
  /**
   * Time of the last id; runs ahead of the clock when more than 4096 ids fall into one millisecond.
   */
  ms: 0,
  msHex: '',
  counter: 0,
  now: (): number => Date.now(),
}

/** If ids are further ahead of a clock than this, they came from another clock, which was wrong. */
const maxAheadMs = 1000

/**
 * Sets the clock for new ids. Ids start with their time, and retention finds old rows by it: a node
 * with a wrong clock would have its calls removed early, or kept for too long.
 */
export function timeIdsBy(now: () => number): void {
  source.now = now
  if (source.ms > now() + maxAheadMs) source.ms = 0
}

/** The time that new ids and records carry: that of the store, once one is open. */
export function storeTime(): number {
  return source.now()
}

/**
 * A new id: the prefix, `_`, and the 32 hex digits of a UUIDv7. Ids of one process sort in creation
 * order, also within a millisecond and when the clock is set back.
 */
export function createId(prefix: string): string {
  return `${prefix}_${createUuid()}`
}

/** The 32 hex digits of a new UUIDv7, without dashes. */
export function createUuid(): string {
  const pool = source.pool
  if (source.position + bytesPerId > poolBytes) {
    globalThis.crypto.getRandomValues(pool)
    source.position = 0
  }
  const start = source.position
  source.position += bytesPerId
  tick(((pool[start] ?? 0) << 8) | (pool[start + 1] ?? 0))
  let digits = source.msHex + (0x7000 | source.counter).toString(16)
  digits += hexPairs[((pool[start + 2] ?? 0) & 0x3f) | 0x80]
  for (let index = start + 3; index < start + bytesPerId; index++) {
    digits += hexPairs[pool[index] ?? 0]
  }
  return digits
}

/**
 * Advances time and counter. A new millisecond starts at a random count in the lower half, which
 * leaves the upper half to count up in.
 */
function tick(random: number): void {
  const now = source.now()
  if (now > source.ms) return enter(now, random)
  source.counter += 1
  if (source.counter > 0xfff) enter(source.ms + 1, random)
}

function enter(ms: number, random: number): void {
  source.ms = ms
  source.msHex = ms.toString(16).padStart(12, '0')
  source.counter = random & 0x7ff
}
