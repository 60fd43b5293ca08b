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
    await new Promise<void>((resolve) => setImmediate(resolve))
    until = performance.now() + turnMs
  }
  return results
}
