import { setImmediate } from 'node:timers/promises'

/** Lets long work take turns with everything else that the process does. */
export interface Breather {
  /** Undefined while there is time left; otherwise resolves when it is this work's turn again. */
  pause(): Promise<void> | undefined
}

/** Works at most about this long at a time. */
const turnMs = 6

export function createBreather(signal?: AbortSignal): Breather {
  let until = performance.now() + turnMs
  return {
    pause() {
      if (performance.now() < until) return undefined
      return rest()
    },
  }
  async function rest(): Promise<void> {
    await setImmediate()
    signal?.throwIfAborted()
    until = performance.now() + turnMs
  }
}
