import { type Clock, createClock } from '../../core/kernel/clock.ts'

const monotonic = () => performance.now()

/** The clock of an embedded database: that of this machine, without its jumps back. */
export function createLocalClock(): Clock {
  return createClock({ reference: () => Date.now(), monotonic })
}

/** How long a measured offset is used before the server is asked again. */
const askEveryMs = 10_000

/** The clock of a database server, kept without asking it each time. */
export interface ServerClock extends Clock {
  stop(): void
}

/**
 * Asks the server now and then, and counts on by a clock that nobody can set: all nodes go by one
 * time, and looking at it costs nothing. While the server does not answer, it counts on.
 */
export async function openServerClock(ask: () => Promise<number>): Promise<ServerClock> {
  // The latest that it can be at least: ahead, a node would end early what others still wait for.
  let { least: ahead } = await look(ask)
  const clock = createClock({ reference: () => monotonic() + ahead, monotonic })
  const timer = setInterval(() => {
    look(ask).then(
      // A slow answer is imprecise, so it changes only what it contradicts.
      ({ least, most }) => (ahead = Math.min(most, Math.max(least, ahead))),
      () => undefined,
    )
  }, askEveryMs)
  timer.unref()
  return { now: clock.now, stop: () => clearInterval(timer) }
}

/** How far the server's time is ahead of ours: its answer was true somewhere between asking and hearing it. */
async function look(ask: () => Promise<number>): Promise<{ least: number; most: number }> {
  const askedAt = monotonic()
  const time = await ask()
  return { least: time - monotonic(), most: time - askedAt }
}
