import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Requests that come at once with the start are not held up. */
const lookEveryMs = 1_500
/** A server that is busy for so long after its start makes use of the room. */
const maxLooks = 20
/** The part of the time that a server without work is busy at the most. */
const idleBelow = 0.2

/**
 * Loading modules, compiling and migrating leave garbage behind that V8 keeps as room for more of it:
 * an idle server would hold that room for hours. Once, in the first quiet moment after the start, it
 * is given back; that stops everything for a tenth of a second or more. Returns the way to leave it.
 */
export function settleMemory(isIdle: () => boolean): () => void {
  let looks = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    looks += 1
    const isQuiet = isIdle() && utilization < idleBelow
    if (isQuiet || looks === maxLooks) clearInterval(timer)
    if (isQuiet) collectAll()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
