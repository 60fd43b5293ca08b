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

let lastTurn: Promise<void> = Promise.resolve()

/**
 * A turn of the event loop for one piece of heavy work. Whoever else asks gets the next one, so that
 * many at once leave room for everybody in between.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(nextTurn)
  return lastTurn
}

/** Lets everybody else have a turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
