/** Longer than nearly every list takes, and too short for anyone to notice. */
const turnMs = 10

/** `map` for lists that may have thousands of entries; yields to the event loop in between. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let until = performance.now() + turnMs
  for (const item of items) {
    results.push(map(item))
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + turnMs
  }
  return results
}

/**
 * Processes a long list in portions, one after the other. An embedded store answers within the same
 * turn of the event loop, so each portion yields to other work.
 */
export async function inPortions<Item>(
  items: readonly Item[],
  size: number,
  work: (portion: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    await work(items.slice(from, from + size))
    await nextTurn()
  }
}

/**
 * Turns of the event loop for pieces of heavy work: each piece gets its own turn, in order of
 * request, so that many pieces leave room for other work in between.
 */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => (last = last.then(nextTurn))
}

/** Yields one turn of the event loop to other work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
