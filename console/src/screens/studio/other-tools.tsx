import { useInfiniteQuery, keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { FilterInput, useSearchQuery } from '../../ui/list/filter-input.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Row, RowList, rowLink } from '../../ui/list/row-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './studio.module.css'

const route = getRouteApi('/studio')
const sources: Readonly<Record<string, string>> = {
  builtin: 'Built in',
  code: 'From a file',
  gateway: 'From a server',
  agent: 'Agent',
  authored: 'Made here',
}

/** Tools that are defined elsewhere. Their texts, approval and limits can be changed for the tenant. */
export function OtherTools() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = useSearchQuery(q)
  const tools = useInfiniteQuery({
    queryKey: ['tools', 'studio', asked],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/tools', {
          params: { query: { ...asked, limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  if (tools.data === undefined) {
    return tools.isError ? (
      <Failed error={tools.error} retry={() => void tools.refetch()} />
    ) : (
      <Loading rows={6} height={56} />
    )
  }
  const found = tools.data.pages
    .flatMap(({ items }) => items)
    .filter(({ source }) => source !== 'authored')
  return (
    <>
      <FilterInput
        mb="md"
        label="Filter tools"
        placeholder="Filter by name or purpose"
        value={q}
        onChange={(text) =>
          void navigate({
            search: { tab: 'others', ...(text !== '' && { q: text }) },
            replace: true,
          })
        }
      />
      {found.length === 0 ? (
        <Empty title="No tools found" />
      ) : (
        <RowList>
          {found.map(({ name, title, source }) => (
            <Row key={name} facts={<Tag>{sources[source] ?? source}</Tag>}>
              <span className={styles.name}>
                <Link to="/studio/$name" params={{ name }} className={rowLink} dir="auto">
                  {title}
                </Link>
                <code>{name}</code>
              </span>
            </Row>
          ))}
        </RowList>
      )}
      <LoadMore query={tools} />
    </>
  )
}
