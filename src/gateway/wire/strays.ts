import type { RpcId } from './messages.ts'

/** Requests that were given up before their answer came. */
export interface Strays {
  readonly isAny: boolean
  add(id: RpcId): void
  /** Its late answer has come: the server is done with it. */
  end(id: RpcId | undefined): void
}

/** Remembered one by one; beyond this, such a connection is never clean again. */
const atMost = 1000

/**
 * A server need not confirm that it stopped, so most entries stay for as long as the connection.
 */
export function createStrays(): Strays {
  const ids = new Set<RpcId>()
  let isFull = false
  return {
    get isAny() {
      return isFull || ids.size > 0
    },
    add(id) {
      if (ids.size < atMost) ids.add(id)
      else isFull = true
    },
    end(id) {
      if (id !== undefined) ids.delete(id)
    },
  }
}
