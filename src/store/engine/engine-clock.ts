import { type Clock, createClock } from '../../core/clock.ts'

const monotonic = () => performance.now()

/** The clock of an embedded database: that of this machine, without its jumps back. */
export function createLocalClock(): Clock {
  return createClock({ reference: () => Date.now(), monotonic })
}

/** How long a server's clock is gone by before it is asked again. */
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
  let known = await look(ask)
  const clock = createClock({ reference: () => known.time + (monotonic() - known.at), monotonic })
  const timer = setInterval(() => {
    look(ask).then(
      (found) => (known = found),
      () => undefined,
    )
  }, askEveryMs)
  timer.unref()
  return { now: clock.now, stop: () => clearInterval(timer) }
}

/** The answer was true somewhere between asking and hearing it. */
async function look(ask: () => Promise<number>): Promise<{ time: number; at: number }> {
  const askedAt = monotonic()
  const time = await ask()
  return { time, at: (askedAt + monotonic()) / 2 }
}
