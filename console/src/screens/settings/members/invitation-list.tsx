import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { Cell, ListTable } from '../../../ui/list/list-table.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { Tag } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import styles from '../settings.module.css'

/** Invitations that are not accepted yet. */
export function InvitationList() {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['invitations'],
    queryFn: () => read(api.GET('/api/v1/invitations')),
  })
  const withdraw = useMutation({
    mutationFn: (id: string) =>
      read(api.DELETE('/api/v1/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => notifySuccess('Invitation withdrawn'),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['invitations'] }),
  })
  if (query.data?.items.length === 0) return null
  return (
    <Panel isFlush title="Open invitations" description="Links are shown only once, when created.">
      <QueryView query={query}>
        {({ items }) => (
          <ListTable label="Open invitations" head={['Address', 'Role', 'Expires', '']}>
            {items.map(({ id, email, role, permissions, expiresAt, state }) => (
              <tr key={id}>
                <Cell kind="name">
                  <span className={styles.strong} dir="auto">
                    {email}
                  </span>
                </Cell>
                <Cell label="Role">
                  <span className={styles.tags}>
                    <Tag>{role}</Tag>
                    {permissions.map((permission) => (
                      <Tag key={permission}>{permission}</Tag>
                    ))}
                  </span>
                </Cell>
                <Cell label="Expires">
                  {state === 'expired' ? <Tag tone="ask">expired</Tag> : <TimeAgo at={expiresAt} />}
                </Cell>
                <Cell kind="actions">
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => withdraw.mutate(id)}
                    aria-label={`Withdraw invitation for ${email}`}
                  >
                    Withdraw
                  </Button>
                </Cell>
              </tr>
            ))}
          </ListTable>
        )}
      </QueryView>
    </Panel>
  )
}
