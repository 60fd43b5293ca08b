import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<{ isOver: boolean }>()

/** Runs the work of a transaction so that `refuseInsideChange` knows of it. */
export async function runChange<T>(work: () => Promise<T>): Promise<T> {
  const change = { isOver: false }
  try {
    return await current.run(change, work)
  } finally {
    change.isOver = true
  }
}

/**
 * The embedded engine has one session: a transaction that waits for a statement outside of itself
 * waits for ever, and everybody with it. Better a failure that names the mistake.
 */
export function refuseInsideChange(): void {
  const change = current.getStore()
  if (change === undefined || change.isOver) return
  throw new Error('The store was asked for something in the middle of one of its own transactions')
}
