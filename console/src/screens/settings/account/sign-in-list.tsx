import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
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

/** Your sign-ins, each with a button to end it. */
export function SignInList() {
  const query = useQuery({
    queryKey: ['sign-ins', 'own'],
    queryFn: () => read(api.GET('/api/v1/sign-ins')),
  })
  const end = useEnd()
  return (
    <Panel isFlush title="Where you are signed in">
      <QueryView query={query}>
        {({ items }) => (
          <>
            <ListTable label="Sign-ins" head={['Browser', 'Address', 'Signed in', 'Last seen', '']}>
              {items.map((one) => (
                <SignInRow key={one.id} signIn={one} onEnd={() => end.mutate(one.id)} />
              ))}
            </ListTable>
            <SignOutButtons hasOthers={items.length > 1} />
          </>
        )}
      </QueryView>
    </Panel>
  )
}

function SignInRow({ signIn, onEnd }: { signIn: Api<'ListedSignIn'>; onEnd: () => void }) {
  const browser = browserName(signIn.userAgent)
  return (
    <tr>
      <Cell kind="name">
        <span className={styles.strong}>{browser}</span>{' '}
        {signIn.isCurrent && <Tag tone="allow">this browser</Tag>}
      </Cell>
      <Cell label="Address">{signIn.address ?? 'unknown'}</Cell>
      <Cell label="Signed in">
        <span>
          <TimeAgo at={signIn.createdAt} /> by {ways[signIn.method]}
        </span>
      </Cell>
      <Cell label="Last seen">
        <TimeAgo at={signIn.lastSeenAt} />
      </Cell>
      <Cell kind="actions">
        {!signIn.isCurrent && (
          <Button size="xs" variant="default" onClick={onEnd} aria-label={`Sign out ${browser}`}>
            Sign out
          </Button>
        )}
      </Cell>
    </tr>
  )
}

function SignOutButtons({ hasOthers }: { hasOthers: boolean }) {
  const endAll = useEndAll()
  const signOut = async () => {
    const isSure = await confirm({
      title: 'Sign out everywhere?',
      message: 'You are signed out in every browser, including this one.',
      confirmLabel: 'Sign out everywhere',
      isDangerous: true,
    })
    if (isSure) endAll.mutate(false)
  }
  return (
    <div className={styles.foot}>
      {hasOthers && (
        <Button variant="default" loading={endAll.isPending} onClick={() => endAll.mutate(true)}>
          Sign out everywhere else
        </Button>
      )}
      <Button variant="default" onClick={() => void signOut()}>
        Sign out everywhere
      </Button>
    </div>
  )
}

function useEnd() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      read(api.DELETE('/api/v1/sign-ins/{id}', { params: { path: { id } } })),
    onSuccess: () => notifySuccess('Signed out'),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sign-ins'] }),
  })
}

function useEndAll() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (keepCurrent: boolean) =>
      read(
        api.DELETE('/api/v1/sign-ins', {
          params: { query: { keepCurrent: keepCurrent ? 'true' : 'false' } },
        }),
      ),
    onSuccess({ ended }, keepCurrent) {
      if (!keepCurrent) return session.enterTenant(undefined)
      notifySuccess(ended === 1 ? '1 sign-in ended' : `${ended} sign-ins ended`)
    },
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sign-ins'] }),
  })
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

/** Browser and system names that people know, instead of the raw user agent. */
function browserName(userAgent = ''): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent.slice(0, 40)
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
