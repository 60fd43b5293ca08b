/** Changes come in groups: a client that asks after the last of them has seen them all. */
const pauseMs = 100

/** Gathers reasons to do something. */
export interface Pause {
  begin(): void
  end(): void
}

/**
 * Runs the work a while after the first request, once for all requests until then, and one at a
 * time.
 */
export function createPause(work: () => Promise<void>): Pause {
  let timer: NodeJS.Timeout | undefined
  let isAtWork = false
  let again = false
  function begin(): void {
    again = isAtWork
    if (isAtWork) return
    timer ??= setTimeout(() => void run(), pauseMs)
  }
  async function run(): Promise<void> {
    timer = undefined
    isAtWork = true
    await work()
    isAtWork = false
    if (again) begin()
  }
  return {
    begin,
    end() {
      again = false
      clearTimeout(timer)
    },
  }
}
