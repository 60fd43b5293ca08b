import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconApi, IconPlus } from '@tabler/icons-react'
import { holds, useCan, useMe } from '../../api/me.ts'
import { useCreating } from '../../ui/dialog/creating.ts'
import { FilterInput, isNarrowed, useSearchQuery } from '../../ui/list/filter-input.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Row, RowList, rowLink } from '../../ui/list/row-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { AddApi } from './add-api.tsx'
import { apisQuery } from './api-queries.ts'
import type { ImportedApi } from './api-queries.ts'
import { ApiStateTag } from './api-state.tsx'
import styles from './apis.module.css'

const route = getRouteApi('/apis')
const readers = ['apis.manage', 'tools.approve', 'policy.read']

/** The imported APIs and their state. */
export function ApisScreen() {
  const [isAdding, { open, close }] = useCreating('api')
  const { permissions } = useMe()
  const mayManage = useCan('apis.manage')
  const mayRead = readers.some((permission) => holds(permissions, permission))
  return (
    <Page
      title="APIs"
      description="Operations of OpenAPI and Swagger documents as tools, under the same policy, approvals, limits and audit log as your own."
      actions={
        mayManage && (
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={open}>
            Import API
          </Button>
        )
      }
    >
      {mayRead ? (
        <ApiList onAdd={mayManage ? open : undefined} />
      ) : (
        <NotAllowed>You need apis.manage, tools.approve or policy.read to see APIs.</NotAllowed>
      )}
      {isAdding && <AddApi onClose={close} />}
    </Page>
  )
}

function ApiList({ onAdd }: { onAdd?: () => void }) {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = useSearchQuery(q)
  const apis = useInfiniteQuery(apisQuery(asked))
  if (apis.data === undefined) {
    return apis.isError ? (
      <Failed error={apis.error} retry={() => void apis.refetch()} />
    ) : (
      <Loading rows={4} height={72} />
    )
  }
  const found = apis.data.pages.flatMap(({ items }) => items)
  if (found.length === 0 && !isNarrowed(q, asked, apis)) return <NoApis onAdd={onAdd} />
  return (
    <>
      <FilterInput
        mb="md"
        label="Filter APIs"
        placeholder="Filter by name or address"
        value={q}
        onChange={(text) =>
          void navigate({ search: text === '' ? {} : { q: text }, replace: true })
        }
      />
      {found.length === 0 ? (
        <Empty
          title="No APIs found"
          actions={
            <Button variant="default" onClick={() => void navigate({ search: {} })}>
              Clear filter
            </Button>
          }
        />
      ) : (
        <RowList>
          {found.map((one) => (
            <ApiRow key={one.name} imported={one} />
          ))}
        </RowList>
      )}
      <LoadMore query={apis} />
    </>
  )
}

function NoApis({ onAdd }: { onAdd?: () => void }) {
  return (
    <Empty
      title="No APIs yet"
      icon={<IconApi size={24} stroke={1.5} aria-hidden="true" />}
      actions={onAdd && <Button onClick={onAdd}>Import API</Button>}
    >
      Enter the URL of an OpenAPI or Swagger document, or upload one. You choose the operations
      before anything is saved.
    </Empty>
  )
}

function ApiRow({ imported }: { imported: ImportedApi }) {
  const { name, title, document, state, server, isDeclared, toolCounts, missingSecrets, reason } =
    imported
  const shown = title ?? document?.title
  return (
    <Row
      facts={
        <>
          {isDeclared && <Tag title="Defined in the configuration">From config</Tag>}
          {missingSecrets.length > 0 && <Tag tone="ask">Needs a secret</Tag>}
          {toolCounts.quarantined > 0 && <Tag tone="ask">{toolCounts.quarantined} to review</Tag>}
          <span>
            {toolCounts.ready} {toolCounts.ready === 1 ? 'tool' : 'tools'}
          </span>
          <ApiStateTag state={state} />
        </>
      }
    >
      <span className={styles.name}>
        <Link to="/apis/$name" params={{ name }} className={rowLink} dir="auto">
          {shown ?? name}
        </Link>
        {shown !== undefined && <code>{name}</code>}
      </span>
      <p className={styles.place}>{server ?? 'No server known yet'}</p>
      {reason !== undefined && <p className={styles.reason}>{reason}</p>}
    </Row>
  )
}
