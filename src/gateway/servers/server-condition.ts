import type { ServerState } from '../../core/gateway/server-status.ts'

/** The state of a server, and whether its tools can be called. */
export interface ServerCondition {
  readonly state: ServerState
  readonly reason: string | undefined
  /** It starts, but does not stay up. */
  isUnsteady: boolean
  readonly isClosed: boolean
  set(state: ServerState, reason?: string): void
  /** The state stays `disabled` from now on. */
  close(): void
  /** Why its tools can't be called. A server that can be started is not down: a call starts it. */
  whyDown(): string | undefined
}

/** `onChange` is called when tools become callable, or no longer are. */
export function createServerCondition(onChange: () => void): ServerCondition {
  let state: ServerState = 'idle'
  let reason: string | undefined
  let isClosed = false
  const condition: ServerCondition = {
    get state() {
      return state
    },
    get reason() {
      return reason
    },
    get isClosed() {
      return isClosed
    },
    isUnsteady: false,
    set(next, why) {
      const before = condition.whyDown()
      state = isClosed ? 'disabled' : next
      reason = why
      if (before !== condition.whyDown()) onChange()
    },
    close: () => void (isClosed = true),
    whyDown: () =>
      state === 'down' && !condition.isUnsteady ? (reason ?? 'it cannot be reached') : undefined,
  }
  return condition
}
