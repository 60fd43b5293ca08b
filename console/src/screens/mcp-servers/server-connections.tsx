import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { useCan } from '../../api/me.ts'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { connectionsQuery } from './server-queries.ts'
import styles from './mcp-servers.module.css'

type Connection = Api<'McpConnection'>

/** The accounts signed in to a server. Tokens are never shown. */
export function ServerConnections({ name }: { name: string }) {
  const connections = useQuery(connectionsQuery(name))
  const mayManage = useCan('mcp.manage')
  const giveUp = useGiveUp(name)
  return (
    <Panel
      title="Sign-ins"
      description="Each person uses their own account. Tokens are encrypted and never shown."
      isFlush
    >
      <QueryView query={connections}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No sign-ins yet">Select Sign in above to connect an account.</Empty>
          ) : (
            <ul className={styles.plain}>
              {items.map((connection) => (
                <li key={connection.subject ?? ''} className={styles.connection}>
                  <b>{connection.subject ?? 'Shared account'}</b>
                  {connection.isMine && <Tag tone="iris">You</Tag>}
                  <span className={styles.place}>
                    at {connection.issuer} · since <TimeAgo at={connection.connectedAt} />
                  </span>
                  {(connection.isMine || mayManage) && (
                    <Button size="xs" variant="default" onClick={() => void giveUp(connection)}>
                      Revoke
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  )
}

function useGiveUp(name: string) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: ({ subject, isMine }: Connection) =>
      read(
        api.DELETE('/api/v1/mcp-servers/{name}/connections', {
          params: {
            path: { name },
            query: isMine || subject === undefined ? {} : { subject },
          },
        }),
      ),
    onSuccess: async () => {
      notifySuccess('Sign-in revoked')
      await refreshServers(queryClient)
    },
    onError: notifyFailure,
  })
  return async (connection: Connection) => {
    const isSure = await confirm({
      title: 'Revoke this sign-in?',
      message: 'The tokens are deleted. Calls fail until someone signs in again.',
      confirmLabel: 'Revoke',
      isDangerous: true,
    })
    if (isSure) remove.mutate(connection)
  }
}
