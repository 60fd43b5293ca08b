import { useInfiniteQuery } from '@tanstack/react-query'
import { IconFolders } from '@tabler/icons-react'
import { useMe } from '../../api/me.ts'
import { readWorkspaces } from '../../workspace/workspace-queries.ts'
import { ListView } from '../../ui/list/list-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { WorkspaceTable } from './workspace-table.tsx'

/** The workspaces of all sessions that the signed-in person may see. */
export function WorkspacesScreen() {
  const { tenant } = useMe()
  const query = useInfiniteQuery({
    queryKey: ['workspaces', 'list', tenant],
    queryFn: ({ pageParam }) =>
      readWorkspaces({ limit: 50, ...(pageParam !== '' && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Page
      title="Workspaces"
      description="The files that agents work on. Each session has its own; unused ones are removed."
    >
      <ListView
        query={query}
        items={items}
        empty={
          <Empty
            title="No workspaces yet"
            icon={<IconFolders size={24} stroke={1.5} aria-hidden="true" />}
          >
            A session gets one when an agent uses a file tool or runs a command.
          </Empty>
        }
      >
        {(found) => <WorkspaceTable items={found} />}
      </ListView>
    </Page>
  )
}
