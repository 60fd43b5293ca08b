/** A callback that runs once, at the earliest of the times set. */
export interface Alarm {
  /** A later time than the one already set has no effect. */
  setIn(ms: number): void
  stop(): void
}

/** An alarm does not keep the process alive. */
export function createAlarm(ring: () => void): Alarm {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Infinity
  function clear(): void {
    clearTimeout(timer)
    dueAt = Infinity
  }
  return {
    setIn(ms) {
      const at = performance.now() + ms
      if (at >= dueAt) return
      clear()
      dueAt = at
      timer = setTimeout(() => {
        dueAt = Infinity
        ring()
      }, ms)
      timer.unref()
    },
    stop: clear,
  }
}
