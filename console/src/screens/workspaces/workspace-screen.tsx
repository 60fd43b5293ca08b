import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { IconTrash } from '@tabler/icons-react'
import { useCan } from '../../api/me.ts'
import { toProblem } from '../../api/problem.ts'
import { useNames } from '../../api/use-names.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { workspaceQuery } from '../../workspace/workspace-queries.ts'
import type { WorkspaceFacts } from '../../workspace/workspace-types.ts'
import { WorkspaceView } from '../../workspace/workspace-view.tsx'
import { describeOwner } from './describe-owner.ts'
import { removeAfterAsking } from './remove-workspace.ts'
import { SessionLink } from './session-link.tsx'
import styles from './workspaces.module.css'

/** One workspace: its files, changes and processes. */
export function WorkspaceScreen() {
  const { id } = useParams({ from: '/workspaces/$id' })
  const query = useQuery(workspaceQuery(id))
  const describeName = useNames()
  const workspace = query.data
  const isGone = query.isError && toProblem(query.error).status === 404
  return (
    <Page
      title={workspace === undefined ? 'Workspace' : describeOwner(workspace, describeName)}
      description={workspace === undefined ? undefined : <HeadLine workspace={workspace} />}
      actions={workspace !== undefined && <Remove workspace={workspace} />}
    >
      {isGone ? (
        <Empty
          title="Workspace not found"
          actions={
            <Button component={Link} to="/workspaces" variant="default">
              View all workspaces
            </Button>
          }
        >
          It may have been removed because nobody used it, or it belongs to someone else.
        </Empty>
      ) : (
        <QueryView query={query} loading={<Loading rows={5} height={32} />}>
          {(found) => <WorkspaceView key={found.id} workspace={found} />}
        </QueryView>
      )}
    </Page>
  )
}

function HeadLine({ workspace }: { workspace: WorkspaceFacts }) {
  return (
    <span className={styles.line}>
      <CopyText text={workspace.id} />
      {workspace.sessionId !== undefined && <SessionLink workspace={workspace} />}
      <span>
        used <TimeAgo at={workspace.usedAt} />
      </span>
    </span>
  )
}

function Remove({ workspace }: { workspace: WorkspaceFacts }) {
  const mayWrite = useCan('workspaces.write')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  if (!mayWrite) return null
  const remove = async () => {
    if (await removeAfterAsking(workspace, queryClient)) await navigate({ to: '/workspaces' })
  }
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} stroke={1.6} />}
      onClick={() => void remove()}
    >
      Remove
    </Button>
  )
}
