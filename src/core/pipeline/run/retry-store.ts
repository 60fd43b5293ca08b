const firstDelayMs = 100

/**
 * A database that does not answer is asked again, for about twice `longestDelayMs` in all; then this
 * rejects as it did. For what may be asked twice: a connection that broke may have taken the answer
 * of the first with it.
 */
export async function retryStore<T>(ask: () => Promise<T>, longestDelayMs: number): Promise<T> {
  for (let delayMs = firstDelayMs; ; delayMs *= 2) {
    try {
      return await ask()
    } catch (error) {
      if (delayMs > longestDelayMs) throw error
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}
