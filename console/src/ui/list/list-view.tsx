import type { ReactNode } from 'react'
import { Loading } from '../loading.tsx'
import { LoadMore } from './load-more.tsx'
import { Failed } from '../states.tsx'

interface ListViewProps<Item> {
  /** A query that is read page by page. */
  query: {
    isError: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    refetch: () => Promise<unknown>
    fetchNextPage: () => Promise<unknown>
  }
  /** The items so far; undefined before the first response. */
  items: readonly Item[] | undefined
  /** Shown instead where there is nothing. */
  empty: ReactNode
  rows?: number
  children: (items: readonly Item[]) => ReactNode
}

/** A list that comes in pages: waiting, failed, empty or drawn, and the way to more of it. */
export function ListView<Item>({ query, items, empty, rows = 4, children }: ListViewProps<Item>) {
  if (items === undefined) {
    if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />
    return <Loading rows={rows} />
  }
  return (
    <>
      {items.length === 0 ? empty : children(items)}
      <LoadMore query={query} />
    </>
  )
}
