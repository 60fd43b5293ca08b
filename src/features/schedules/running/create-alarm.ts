/** Something that is to happen once, at the earliest of the times it was set to. */
export interface Alarm {
  /** Later than what it is set to already changes nothing. */
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
