import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Row, RowList, rowLink } from '../../ui/list/row-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { useNames } from '../../api/use-names.ts'
import { draftsQuery } from './studio-queries.ts'

/** The drafts of all authors: each has one of their own for a tool. */
export function DraftList() {
  const drafts = useInfiniteQuery(draftsQuery)
  const names = useNames()
  if (drafts.data === undefined) {
    return drafts.isError ? (
      <Failed error={drafts.error} retry={() => void drafts.refetch()} />
    ) : (
      <Loading rows={4} height={56} />
    )
  }
  const found = drafts.data.pages.flatMap(({ items }) => items)
  if (found.length === 0) {
    return <Empty title="No drafts">Changes are drafts until they are published.</Empty>
  }
  return (
    <>
      <RowList>
        {found.map(({ name, savedBy, savedAt, isMine }) => (
          <Row
            key={`${name} ${savedBy.kind}:${savedBy.id}`}
            facts={
              <>
                {isMine ? <Tag tone="write">Yours</Tag> : <span>{names(savedBy)}</span>}
                <TimeAgo at={savedAt} />
              </>
            }
          >
            <Link to="/studio/$name" params={{ name }} className={rowLink} dir="auto">
              {name}
            </Link>
          </Row>
        ))}
      </RowList>
      <LoadMore query={drafts} />
    </>
  )
}
