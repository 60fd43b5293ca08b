import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { useMe } from '../../../api/me.ts'
import { CopyText } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Empty } from '../../../ui/states.tsx'
import { LoadingPanel } from '../loading-panel.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignInList } from './sign-in-list.tsx'
import styles from '../settings.module.css'

/** Your name, your password, and your sign-ins. */
export function AccountSection() {
  const { principal, home } = useMe()
  // An account belongs to its member's own tenant.
  if (home !== undefined) {
    return (
      <Panel>
        <Empty title="Your account is in another tenant">
          You are acting in another tenant. Switch back to {home} to change your account.
        </Empty>
      </Panel>
    )
  }
  return principal.kind === 'user' ? <Account /> : null
}

function Account() {
  const me = useMe()
  const query = useQuery({
    queryKey: ['sign-ins', 'account'],
    queryFn: () => read(api.GET('/api/v1/account')),
  })
  return (
    <QueryView query={query} loading={<LoadingPanel title="You" rows={5} />}>
      {(account) => (
        <>
          <Panel title="You">
            <Facts>
              <dt>Name</dt>
              <dd>
                <NameForm name={account.member.name} />
              </dd>
              <dt>Email address</dt>
              <dd dir="auto">
                {account.member.email ?? 'None yet. Set it with a password below.'}
              </dd>
              <dt>Role</dt>
              <dd>
                <Tag>{account.member.role}</Tag> of {account.tenantName}
              </dd>
              <dt>Permissions</dt>
              <dd>
                <span className={styles.tags}>
                  {me.permissions.map((permission) => (
                    <Tag key={permission}>{permission === '*' ? 'everything' : permission}</Tag>
                  ))}
                  {me.permissions.length === 0 && 'None'}
                </span>
              </dd>
              <dt>Id</dt>
              <dd>
                <CopyText text={account.member.id} />
              </dd>
            </Facts>
          </Panel>
          <PasswordForm account={account} />
          <SignInList />
        </>
      )}
    </QueryView>
  )
}
