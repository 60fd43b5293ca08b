/** A page of a list, newest first. */
export interface ListPage<Row> {
  items: Row[]
  next?: string
}

/** Pages as the query cache keeps them. */
export interface ListPages<Row> {
  pages: ListPage<Row>[]
  pageParams: string[]
}

/**
 * The list with its first page read again and the other pages kept. If the two no longer overlap,
 * because more happened than fits a page, the list starts over with the new page.
 */
export function withHead<Row>(
  before: ListPages<Row>,
  head: ListPage<Row>,
  idOf: (row: Row) => string,
): ListPages<Row> {
  const onlyHead = { pages: [head], pageParams: [''] }
  const rows = before.pages.flatMap(({ items }) => items)
  const last = head.items.at(-1)
  if (last === undefined || head.next === undefined) return onlyHead
  const place = rows.findIndex((row) => idOf(row) === idOf(last))
  const rest = place < 0 ? [] : rows.slice(place + 1)
  if (rest.length === 0) return onlyHead
  const next = before.pages.at(-1)?.next
  return {
    pages: [head, { items: rest, ...(next !== undefined && { next }) }],
    pageParams: ['', head.next],
  }
}

/** How many rows of a first page are new, and whether there may be more. */
export function countNew<Row>(
  rows: readonly Row[],
  head: ListPage<Row>,
  idOf: (row: Row) => string,
): { count: number; isMore: boolean } {
  const known = new Set(rows.map(idOf))
  const count = head.items.filter((row) => !known.has(idOf(row))).length
  return { count, isMore: count === head.items.length && head.next !== undefined }
}
