import { ToolError } from '../errors.ts'

/** Writes that must not be lost while the disk refuses them. */
export interface Backlog {
  /** Rejects with record_failed when the first try fails; the write itself is kept and tried again. */
  write<T>(attempt: () => Promise<T>): Promise<T>
  size(): number
  /** The brake: resolves at once while few are unwritten, later when many are; throws when the disk is gone. */
  ready(): Promise<void>
  flush(): Promise<void>
  close(): Promise<void>
}

/** Above this many unwritten calls a caller waits: memory stays bounded however slow the disk is. */
const limit = 4096
const retryEveryMs = 500

export function createBacklog(onWarning: (message: string) => void): Backlog {
  let refused: (() => Promise<unknown>)[] = []
  let inFlight = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiters: (() => void)[] = []
  const size = () => inFlight + refused.length

  async function write<T>(attempt: () => Promise<T>): Promise<T> {
    inFlight += 1
    try {
      return await attempt()
    } catch (error) {
      if (refused.length === 0) onWarning(`Calls can't be recorded, keeping them to try again: ${messageOf(error)}`)
      refused.push(attempt)
      timer ??= unref(setTimeout(retry, retryEveryMs))
      throw new ToolError('record_failed', 'The end of the call could not be recorded yet', { cause: error })
    } finally {
      inFlight -= 1
      if (waiters.length > 0 && size() < limit) wake()
    }
  }
  function wake(): void {
    const waiting = waiters
    waiters = []
    for (const resolve of waiting) resolve()
  }
  async function retry(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const again = refused
    refused = []
    await Promise.allSettled(again.map((attempt) => write(attempt)))
  }
  async function flush(): Promise<void> {
    if (refused.length > 0) await retry()
    while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return {
    write,
    size,
    flush,
    async ready() {
      if (size() < limit) return
      if (refused.length >= limit) {
        throw new ToolError('record_failed', `${refused.length} calls wait to be recorded; no more are taken`, {
          fix: 'See that the disk has room and the database answers.',
        })
      }
      await new Promise<void>((resolve) => waiters.push(resolve))
    },
    async close() {
      await flush()
      clearTimeout(timer)
      if (refused.length > 0) onWarning(`${refused.length} records could not be written and are lost`)
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Background timers must not keep a process alive. */
function unref<T>(timer: T): T {
  ;(timer as { unref?: () => void }).unref?.()
  return timer
}
