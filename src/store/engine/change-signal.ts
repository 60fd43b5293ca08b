import type { Topic } from './engine.ts'

/** Readers are woken at most this often; a burst of commits is one look. */
const throttleMs = 10
/** Workers limit their own rate; they should start at once. */
const jobsThrottleMs = 1

export interface ChangeSignal {
  /** Wakes the listeners now, or at the end of the running pause. */
  fire(): void
  watch(listener: () => void): () => void
  stop(): void
}

/** Notifies listeners that there may be something new, and nothing else. */
export function createChangeSignal(pauseMs = throttleMs): ChangeSignal {
  const listeners = new Set<() => void>()
  const wake = throttle(pauseMs, () => {
    for (const listener of listeners) listener()
  })
  return {
    fire: wake.call,
    watch(listener) {
      // Each watch gets its own wrapper, so that a function watched twice is called twice and
      // stopped once.
      const entry = () => listener()
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    stop() {
      wake.stop()
      listeners.clear()
    },
  }
}

/** One for every topic. */
export function createSignals(): Record<Topic, ChangeSignal> {
  return {
    events: createChangeSignal(),
    jobs: createChangeSignal(jobsThrottleMs),
    rules: createChangeSignal(),
  }
}

/** Runs at once, then not again for `pauseMs`. Requests during the pause run once at its end. */
export function throttle(
  pauseMs: number,
  action: () => void,
): { call: () => void; stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  let again = false
  let stopped = false
  const run = () => {
    again = false
    timer = setTimeout(() => {
      timer = undefined
      if (again) run()
    }, pauseMs)
    action()
  }
  return {
    call() {
      if (stopped) return
      if (timer === undefined) run()
      else again = true
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
