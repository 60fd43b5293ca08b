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
