import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useMe } from '../../api/me.ts'
import { LoadingPanel } from './loading-panel.tsx'
import { useSettings } from './use-settings.ts'
import type { Settings } from './use-settings.ts'
import styles from './settings.module.css'

const example = `server:
  publicUrl: https://crib.example
signIn:
  password: true
  oidc:
    - name: google
      label: Continue with Google
      issuer: https://accounts.google.com
      clientId: 1234.apps.googleusercontent.com
      clientSecretEnv: GOOGLE_SECRET
      allowedDomains: [example.com]
      provision: { role: member }`

const title = 'Ways to sign in'

/** The configured ways to sign in, read-only. */
export function SignInSection() {
  const query = useSettings()
  const { tenant } = useMe()
  return (
    <QueryView query={query} loading={<LoadingPanel title={title} rows={3} />}>
      {(settings) => (
        <>
          <Panel title={title}>
            <Facts>
              <dt>Links</dt>
              <dd>
                Always available. Create one under Members, or on the server with{' '}
                <code>toolcrib sign-in-link</code>
              </dd>
              <dt>Passwords</dt>
              <dd>
                <Tag tone={settings.signIn.password ? 'allow' : 'plain'}>
                  {settings.signIn.password ? 'On' : 'Off'}
                </Tag>{' '}
                <span className={styles.dim}>
                  <code>signIn.password</code>
                </span>
              </dd>
              <dt>Sign-in page</dt>
              <dd>
                <CopyText text={signInAddress(settings, tenant)} />
              </dd>
            </Facts>
          </Panel>
          <Providers settings={settings} />
          <Panel
            title="How to change this"
            description="Set sign-in in the configuration file. Changes apply after a restart."
          >
            <Code text={example} label="Example configuration" />
          </Panel>
        </>
      )}
    </QueryView>
  )
}

function signInAddress({ publicUrl }: Settings, tenant: string): string {
  const url = new URL('/sign-in', publicUrl ?? window.location.origin)
  if (tenant !== 'default') url.searchParams.set('tenant', tenant)
  return url.href
}

function Providers({ settings }: { settings: Settings }) {
  const { providers } = settings.signIn
  return (
    <Panel
      isFlush={providers.length > 0}
      title="Providers"
      description="OpenID Connect providers, configured under signIn.oidc."
    >
      {providers.length === 0 ? (
        <span className={styles.dim}>None configured.</span>
      ) : (
        <ListTable label="Providers" head={['Button', 'Issuer', 'Access', 'Redirect URL']}>
          {providers.map((provider) => (
            <tr key={provider.name}>
              <Cell kind="name">
                <span className={styles.two}>
                  <span className={styles.strong}>{provider.label}</span>
                  <span className={styles.dim}>of {provider.tenant}</span>
                </span>
              </Cell>
              <Cell label="Issuer">
                <code>{provider.issuer}</code>
              </Cell>
              <Cell label="Access">
                <span className={styles.two}>
                  {provider.joinsAs === undefined
                    ? 'Members only'
                    : `New people join as ${provider.joinsAs}`}
                  <span className={styles.dim}>
                    {provider.allowedDomains === undefined
                      ? 'email addresses of any domain'
                      : provider.allowedDomains.join(', ')}
                  </span>
                </span>
              </Cell>
              <Cell label="Redirect URL">
                <CopyText
                  text={
                    new URL(
                      `/sign-in/oidc/${provider.name}/callback`,
                      settings.publicUrl ?? window.location.origin,
                    ).href
                  }
                />
              </Cell>
            </tr>
          ))}
        </ListTable>
      )}
    </Panel>
  )
}
