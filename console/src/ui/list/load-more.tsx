import { Button } from '@mantine/core'
import styles from './load-more.module.css'

interface LoadMoreProps {
  /** A query that is read page by page. */
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
  }
}

/** The way to the next page of a list, below it; nothing where this is the end. */
export function LoadMore({ query }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div className={styles.more}>
      <Button
        variant="default"
        size="xs"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        Load more
      </Button>
    </div>
  )
}
