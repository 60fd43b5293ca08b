const firstDelayMs = 100

/**
 * Retries a query while the database does not answer, for about twice `longestDelayMs` in all; then
 * rejects with the last error. Only for idempotent queries: the first may have succeeded and its
 * answer been lost.
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
