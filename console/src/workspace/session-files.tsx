import { useQuery } from '@tanstack/react-query'
import { IconFolders } from '@tabler/icons-react'
import { Loading } from '../ui/loading.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Empty } from '../ui/states.tsx'
import { sessionWorkspaceQuery } from './workspace-queries.ts'
import { useRefreshOnCalls } from './use-refresh-on-calls.ts'
import { WorkspaceView } from './workspace-view.tsx'

/** The workspace of a session, once it has one. */
export function SessionFiles({ sessionId }: { sessionId: string }) {
  const query = useQuery(sessionWorkspaceQuery(sessionId))
  // The first call that uses a file creates it.
  useRefreshOnCalls(sessionId)
  return (
    <QueryView query={query} loading={<Loading rows={5} height={30} />}>
      {(workspace) =>
        workspace === null ? (
          <Empty
            title="No files yet"
            icon={<IconFolders size={24} stroke={1.5} aria-hidden="true" />}
          >
            Files appear here when the agent uses a file tool or runs a command.
          </Empty>
        ) : (
          <WorkspaceView key={workspace.id} workspace={workspace} />
        )
      }
    </QueryView>
  )
}
