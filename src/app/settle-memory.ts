import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Requests that come at once with the start are not held up. */
const afterMs = 1_500
/** Looking through more than this takes long enough to be noticed. */
const mostBytes = 96 * 1024 * 1024

/**
 * Loading modules, compiling and migrating leave garbage behind that V8 keeps as room for more of it:
 * an idle server would hold that room for hours. Once, shortly after the start, it is given back.
 * Returns the way to leave it.
 */
export function settleMemory(isIdle: () => boolean): () => void {
  const timer = setTimeout(() => {
    if (isIdle() && getHeapStatistics().used_heap_size <= mostBytes) collectAll()
  }, afterMs)
  timer.unref()
  return () => clearTimeout(timer)
}

function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
