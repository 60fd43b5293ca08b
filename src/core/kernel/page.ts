/** A page of a list. `next` is the cursor of the next page; absent on the last one. */
export interface Page<T> {
  items: T[]
  next?: string
}

/** Selects a page of a list sorted by name. */
export interface ListQuery {
  after?: string
  limit: number
  /** Only entries that contain all of these words. */
  q?: string
}

/** Iterates over all entries of a list, page by page. */
export async function* readAll<T>(
  list: (after?: string) => Promise<{ items: readonly T[]; next?: string | undefined }>,
): AsyncGenerator<T> {
  let after: string | undefined
  do {
    const page = await list(after)
    yield* page.items
    after = page.next
  } while (after !== undefined)
}
