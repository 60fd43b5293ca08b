import { setTimeout as wait } from 'node:timers/promises'

/** Waits, and stops waiting at once when the signal aborts: then it throws the signal's reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
