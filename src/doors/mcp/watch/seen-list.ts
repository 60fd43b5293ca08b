/** The last state of one list that a client has seen, so that only real changes are announced. */
export interface SeenList {
  /** Something has happened: what is being read for the first time may hold it already. */
  doubt(): void
  /** Is it another list than when it was last asked? */
  hasChanged(): Promise<boolean>
}

/** Reads the list at once, and from then on whenever it is asked. A list that can't be read at first is taken for another one. */
export function createSeenList<T extends string | object>(
  read: () => T | Promise<T>,
  isSame: (before: T, after: T) => boolean,
): SeenList {
  let known: T | undefined
  let isEarly = false
  const first = (async () => void (known = await read()))().catch(() => undefined)
  return {
    doubt: () => void (isEarly ||= known === undefined),
    async hasChanged() {
      await first
      const now = await read()
      const isOther = known === undefined || isEarly || !isSame(known, now)
      known = now
      isEarly = false
      return isOther
    },
  }
}
