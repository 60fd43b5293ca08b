import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadMore } from './load-more.tsx'

interface InPortionsProps<Item> {
  items: readonly Item[]
  /** The number of items shown at first, and added with every press. */
  step: number
  children: (shown: readonly Item[]) => ReactNode
}

/** Draws the beginning of a list that is here as a whole: thousands of rows hold a page up for seconds. */
export function ShowMore<Item>({ items, step, children }: InPortionsProps<Item>) {
  const [count, setCount] = useState(step)
  const query = {
    hasNextPage: items.length > count,
    isFetchingNextPage: false,
    fetchNextPage: async () => setCount(count + step),
  }
  return (
    <>
      {children(items.slice(0, count))}
      <LoadMore query={query} />
    </>
  )
}
