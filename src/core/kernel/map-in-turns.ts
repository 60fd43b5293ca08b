/** Longer than nearly every list takes, and too short for anybody to notice. */
const turnMs = 10

/** `map` over a list that may have thousands of entries; whoever else waits gets a turn in between. */
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

/** A long list in portions, one after the other. An embedded store answers within the turn it is asked in: the next one is others', too. */
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
 * Turns of the event loop for pieces of heavy work: each gets one of its own, in the order they ask,
 * so that many at once leave room for everybody else in between.
 */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => (last = last.then(nextTurn))
}

/** Lets everybody else have a turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
