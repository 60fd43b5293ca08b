/** A page of a list. `next` is the cursor of the page after it; absent at the end. */
export interface Page<T> {
  items: T[]
  next?: string
}

/** Which page of a list that is in order of names. */
export interface ListQuery {
  after?: string
  limit: number
  /** Only what has all of these words. */
  q?: string
}

/** Everything on all pages of a list, page by page. */
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
