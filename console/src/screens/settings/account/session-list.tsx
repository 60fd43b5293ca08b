import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { session } from '../../../api/session.ts'
import { Cell, ListTable } from '../../../ui/list/list-table.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { Tag } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import styles from '../settings.module.css'

const ways = {
  link: 'a link',
  password: 'a password',
  oidc: 'a provider',
  invitation: 'an invitation',
}

/** Where one is signed in, and the way out of each. */
export function SessionList() {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['sessions', 'own'],
    queryFn: () => read(api.GET('/api/v1/sessions')),
  })
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['sessions'] })
  const end = useMutation({
    mutationFn: (id: string) =>
      read(api.DELETE('/api/v1/sessions/{id}', { params: { path: { id } } })),
    onSuccess: () => notifySuccess('Session ended'),
    onError: notifyFailure,
    onSettled: refresh,
  })
  const endAll = useMutation({
    mutationFn: (keepCurrent: boolean) =>
      read(
        api.DELETE('/api/v1/sessions', {
          params: { query: { keepCurrent: keepCurrent ? 'true' : 'false' } },
        }),
      ),
    onSuccess({ ended }, keepCurrent) {
      if (!keepCurrent) return session.enterTenant(undefined)
      notifySuccess(ended === 1 ? '1 session ended' : `${ended} sessions ended`)
    },
    onError: notifyFailure,
    onSettled: refresh,
  })
  const leave = async () => {
    const isSure = await confirm({
      title: 'Sign out everywhere?',
      message: 'Every browser is signed out, this one included.',
      confirmLabel: 'Sign out everywhere',
      isDangerous: true,
    })
    if (isSure) endAll.mutate(false)
  }
  return (
    <Panel isFlush title="Where you are signed in">
      <QueryView query={query}>
        {({ items }) => (
          <>
            <ListTable label="Sessions" head={['Browser', 'Address', 'Signed in', 'Last seen', '']}>
              {items.map((one) => (
                <tr key={one.id}>
                  <Cell kind="name">
                    <span className={styles.strong}>{browserName(one.userAgent)}</span>{' '}
                    {one.isCurrent && <Tag tone="allow">this browser</Tag>}
                  </Cell>
                  <Cell label="Address">{one.address ?? 'unknown'}</Cell>
                  <Cell label="Signed in">
                    <span>
                      <TimeAgo at={one.createdAt} /> by {ways[one.method]}
                    </span>
                  </Cell>
                  <Cell label="Last seen">
                    <TimeAgo at={one.lastSeenAt} />
                  </Cell>
                  <Cell kind="actions">
                    {!one.isCurrent && (
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => end.mutate(one.id)}
                        aria-label={`Sign out ${browserName(one.userAgent)}`}
                      >
                        Sign out
                      </Button>
                    )}
                  </Cell>
                </tr>
              ))}
            </ListTable>
            <div className={styles.foot}>
              {items.length > 1 && (
                <Button
                  variant="default"
                  loading={endAll.isPending}
                  onClick={() => endAll.mutate(true)}
                >
                  Sign out everywhere else
                </Button>
              )}
              <Button variant="default" onClick={() => void leave()}>
                Sign out everywhere
              </Button>
            </div>
          </>
        )}
      </QueryView>
    </Panel>
  )
}

const browsers = [
  ['Firefox/', 'Firefox'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const

const systems = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Words that people know; the rest of what a browser says of itself tells them nothing. */
function browserName(userAgent = ''): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent.slice(0, 40)
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
