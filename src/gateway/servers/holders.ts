import type { Opened } from './opened.ts'

/** Counts who uses what was opened: one that takes nothing new any more is ended after the last. */
export interface Holders {
  hold(one: Opened): void
  letGo(one: Opened): void
  /** Ends it where nobody uses it. */
  leave(one: Opened): void
  /** Ends this one, and whatever else is in use. */
  close(last: Opened | undefined, reason: string | undefined): Promise<void>
  /** Resolves when all that was closed has ended. */
  gone(): Promise<void>
}

export function createHolders(): Holders {
  const counts = new Map<Opened, number>()
  let gone = Promise.resolve()
  function leave(one: Opened): void {
    if (!counts.has(one)) void one.upstream.close()
  }
  return {
    hold: (one) => void counts.set(one, (counts.get(one) ?? 0) + 1),
    letGo(one) {
      const count = (counts.get(one) ?? 1) - 1
      if (count > 0) return void counts.set(one, count)
      counts.delete(one)
      if (!one.upstream.peer.isOpen) leave(one)
    },
    leave,
    close(last, reason) {
      const all = new Set(last === undefined ? counts.keys() : [last, ...counts.keys()])
      const before = gone
      gone = Promise.all([...all].map((one) => one.upstream.close(reason))).then(() => before)
      return gone
    },
    gone: () => gone,
  }
}
