import type { Topic } from './engine.ts'

/** Readers are woken at most this often; a burst of commits is one look. */
const throttleMs = 10
/** Whoever runs work has its own brake; it should start at once. */
const jobsThrottleMs = 1

export interface ChangeSignal {
  /** Wakes the listeners now, or at the end of the running pause. */
  fire(): void
  watch(listener: () => void): () => void
  stop(): void
}

/** Tells listeners that there may be something new, and nothing else. */
export function createChangeSignal(pauseMs = throttleMs): ChangeSignal {
  const listeners = new Set<() => void>()
  const wake = throttle(pauseMs, () => {
    for (const listener of listeners) listener()
  })
  return {
    fire: wake.call,
    watch(listener) {
      // A wrapper of its own, so that the same function watched twice is told twice and stopped once.
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

/** Runs at once, then not again for `pauseMs`; what was asked for in the pause runs once at its end. */
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
