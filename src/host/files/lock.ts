/** Runs steps one after the other. */
export type Lock = <T>(step: () => Promise<T>) => Promise<T>

export function createLock(): Lock {
  let last: Promise<unknown> = Promise.resolve()
  return async (step) => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    try {
      return await step()
    } finally {
      resolve()
    }
  }
}
