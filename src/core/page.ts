/** A page of a list. `next` is the cursor of the page after it; absent at the end. */
export interface Page<T> {
  items: T[]
  next?: string
}
