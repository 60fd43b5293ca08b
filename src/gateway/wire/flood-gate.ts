/** The most unsolicited messages read in a window; far more than any progress bar needs. */
const floodLimit = 20_000
const windowMs = 10_000
/** Beyond this in one window, they are dropped unread until the limit ends the connection. */
const readLimit = 5000

export interface FloodGate {
  /** False for a message that is dropped. */
  pass(): boolean
}

/** Lets what a server sends by itself through, up to a rate; a server far beyond it is given up. */
export function createFloodGate(onFlood: () => void): FloodGate {
  let windowFrom = performance.now()
  let count = 0
  return {
    pass() {
      const now = performance.now()
      if (now - windowFrom > windowMs) {
        windowFrom = now
        count = 0
      }
      count += 1
      if (count === floodLimit) onFlood()
      return count <= readLimit
    },
  }
}
