/** A page of rows that were read with one more than fit; with `next` if there are more. */
export function toPage<Item>(
  rows: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): { items: Item[]; next?: string } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return rows.length > limit && last !== undefined ? { items, next: cursorOf(last) } : { items }
}

/** How many items a page holds: what was asked for, from 1 to `most`. */
export function toPageLimit(asked: number, most: number): number {
  return Math.min(Math.max(1, Math.trunc(asked) || 1), most)
}
