import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { holds, useCan, useMe } from '../../api/me.ts'
import { useCreating } from '../../ui/dialog/creating.ts'
import { FilterInput, isNarrowed, useSearchQuery } from '../../ui/list/filter-input.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Row, RowList, rowLink } from '../../ui/list/row-list.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { AddServer } from './add-server.tsx'
import { serversQuery } from './server-queries.ts'
import type { McpServer } from './server-queries.ts'
import { formatPlace, describeState, ServerStateTag } from './server-state.tsx'
import styles from './mcp-servers.module.css'

const route = getRouteApi('/mcp-servers')
const readers = ['mcp.manage', 'tools.approve', 'policy.read']

/** The connected MCP servers and their state. */
export function McpServersScreen() {
  const [isAdding, { open, close }] = useCreating('mcp-server')
  const { permissions } = useMe()
  const mayManage = useCan('mcp.manage')
  const mayRead = readers.some((permission) => holds(permissions, permission))
  return (
    <Page
      title="MCP servers"
      description="Tools of MCP servers follow the same policy, approvals, limits and audit log as your own."
      actions={
        mayManage && (
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={open}>
            Add server
          </Button>
        )
      }
    >
      {mayRead ? (
        <ServerList onAdd={mayManage ? open : undefined} />
      ) : (
        <NotAllowed>
          You need mcp.manage, tools.approve or policy.read to see MCP servers.
        </NotAllowed>
      )}
      {isAdding && <AddServer onClose={close} />}
    </Page>
  )
}

function ServerList({ onAdd }: { onAdd?: () => void }) {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = useSearchQuery(q)
  const servers = useInfiniteQuery(serversQuery(asked))
  if (servers.data === undefined) {
    return servers.isError ? (
      <Failed error={servers.error} retry={() => void servers.refetch()} />
    ) : (
      <Loading rows={4} height={72} />
    )
  }
  const found = servers.data.pages.flatMap(({ items }) => items)
  if (found.length === 0 && !isNarrowed(q, asked, servers)) return <NoServers onAdd={onAdd} />
  return (
    <>
      <FilterInput
        mb="md"
        label="Filter servers"
        placeholder="Filter by name or address"
        value={q}
        onChange={(text) =>
          void navigate({ search: text === '' ? {} : { q: text }, replace: true })
        }
      />
      {found.length === 0 && (
        <Empty
          title="No servers found"
          actions={
            <Button variant="default" onClick={() => void navigate({ search: {} })}>
              Clear filter
            </Button>
          }
        />
      )}
      {found.length > 0 && (
        <RowList>
          {found.map((server) => (
            <ServerRow key={server.name} server={server} />
          ))}
        </RowList>
      )}
      <LoadMore query={servers} />
    </>
  )
}

function NoServers({ onAdd }: { onAdd?: () => void }) {
  return (
    <Empty
      title="No MCP servers yet"
      icon={<IconPlugConnected size={24} stroke={1.5} aria-hidden="true" />}
      actions={onAdd && <Button onClick={onAdd}>Add server</Button>}
    >
      Enter a URL, or a program that speaks MCP on stdio. You can test it before saving.
    </Empty>
  )
}

function ServerRow({ server }: { server: McpServer }) {
  const { name, title, state, isDeclared, toolCounts } = server
  const needsWords = state === 'down' || state === 'unauthorized' || state === 'closed'
  return (
    <Row
      facts={
        <>
          {isDeclared && <Tag title="Defined in the configuration">From config</Tag>}
          {toolCounts.quarantined > 0 && <Tag tone="ask">{toolCounts.quarantined} to review</Tag>}
          {toolCounts.beyond !== undefined && <Tag tone="ask">Too many tools</Tag>}
          <span>
            {toolCounts.ready} {toolCounts.ready === 1 ? 'tool' : 'tools'}
          </span>
          <ServerStateTag state={state} />
        </>
      }
    >
      <span className={styles.name}>
        <Link to="/mcp-servers/$name" params={{ name }} className={rowLink} dir="auto">
          {title ?? name}
        </Link>
        {title !== undefined && <code>{name}</code>}
      </span>
      <p className={styles.place}>{formatPlace(server)}</p>
      {needsWords && <p className={styles.reason}>{describeState(server)}</p>}
    </Row>
  )
}
