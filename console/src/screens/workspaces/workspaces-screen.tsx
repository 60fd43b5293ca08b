import { Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { IconFolders } from '@tabler/icons-react'
import { useMe } from '../../api/me.ts'
import { readWorkspaces } from '../../workspace/workspace-queries.ts'
import { FilterInput } from '../../ui/list/filter-input.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { WorkspaceTable } from './workspace-table.tsx'

const route = getRouteApi('/workspaces')

/** The workspaces of all sessions that the signed-in person may see. */
export function WorkspacesScreen() {
  const { tenant } = useMe()
  const typed = route.useSearch()
  const [{ agent = '', session = '' }] = useDebouncedValue(typed, 200)
  const isNarrowed = agent !== '' || session !== ''
  const query = useInfiniteQuery({
    queryKey: ['workspaces', 'list', tenant, agent, session],
    queryFn: ({ pageParam }) =>
      readWorkspaces({
        limit: 50,
        ...(agent !== '' && { agent }),
        ...(session !== '' && { sessionId: session }),
        ...(pageParam !== '' && { after: pageParam }),
      }),
    placeholderData: keepPreviousData,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Page
      title="Workspaces"
      description="The files that agents work on. Each session has its own; unused ones are removed."
    >
      <Filters {...typed} />
      <ListView
        query={query}
        items={items}
        empty={
          <Empty
            title={isNarrowed ? 'No matching workspaces' : 'No workspaces yet'}
            icon={<IconFolders size={24} stroke={1.5} aria-hidden="true" />}
          >
            {isNarrowed
              ? 'Agents and sessions are matched by their whole name.'
              : 'A session gets one when an agent uses a file tool or runs a command.'}
          </Empty>
        }
      >
        {(found) => <WorkspaceTable items={found} />}
      </ListView>
    </Page>
  )
}

interface Filter {
  agent?: string
  session?: string
}

function Filters({ agent = '', session = '' }: Filter) {
  const navigate = route.useNavigate()
  const show = (next: Required<Filter>) => {
    const search = Object.fromEntries(Object.entries(next).filter(([, text]) => text !== ''))
    void navigate({ search, replace: true })
  }
  return (
    <Group gap="sm" mb="md">
      <FilterInput
        label="Agent"
        value={agent}
        onChange={(text) => show({ agent: text, session })}
      />
      <FilterInput
        label="Session"
        value={session}
        onChange={(text) => show({ agent, session: text })}
      />
    </Group>
  )
}
