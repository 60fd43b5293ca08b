import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { holds, useCan, useMe } from '../../api/me.ts'
import { isGone } from '../../api/problem.ts'
import { Loading, LoadingTabs } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { apiQuery } from './api-queries.ts'
import type { ImportedApi } from './api-queries.ts'
import { ApiSettings } from './api-settings.tsx'
import { ApiStateTag } from './api-state.tsx'
import { ApiTools } from './api-tools.tsx'
import { RefreshApi } from './refresh-api.tsx'
import styles from './apis.module.css'

const route = getRouteApi('/apis/$name')
const readers = ['apis.manage', 'tools.approve', 'policy.read']

/** One imported API: its state, operations and settings. */
export function ApiScreen() {
  const { name } = route.useParams()
  const { permissions } = useMe()
  const mayRead = readers.some((permission) => holds(permissions, permission))
  const found = useQuery({ ...apiQuery(name), enabled: mayRead })
  if (found.data !== undefined && !isGone(found.error)) return <Loaded imported={found.data} />
  return (
    <Page title={name} description={<Link to="/apis">All APIs</Link>}>
      {!mayRead ? (
        <NotAllowed>You need apis.manage, tools.approve or policy.read to see APIs.</NotAllowed>
      ) : found.isError ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        <>
          <LoadingTabs tabs={2} />
          <Loading rows={8} height={43} />
        </>
      )}
    </Page>
  )
}

function Loaded({ imported }: { imported: ImportedApi }) {
  const { name, title, document, state, server, isDeclared } = imported
  const mayManage = useCan('apis.manage')
  return (
    <Page
      title={title ?? document?.title ?? name}
      badges={
        <>
          <ApiStateTag state={state} />
          {isDeclared && <Tag>From config</Tag>}
        </>
      }
      description={
        <>
          <code>{name}</code> · {server ?? 'No server known yet'}
        </>
      }
      actions={mayManage && <RefreshApi imported={imported} />}
    >
      <Standing imported={imported} />
      <ApiTabs imported={imported} />
    </Page>
  )
}

/** The problem and its fix, or when the document was read. */
function Standing({ imported }: { imported: ImportedApi }) {
  const { state, reason, fix, document, missingSecrets } = imported
  return (
    <>
      {state !== 'ready' && (
        <Notice
          isApart
          tone={state === 'closed' ? 'deny' : state === 'unread' ? 'ask' : 'plain'}
          title={reason ?? 'This API is disabled: its tools are hidden'}
        >
          {fix}
        </Notice>
      )}
      {document !== undefined && (
        <p className={styles.standing}>
          {[document.version, `OpenAPI ${document.format}`].filter(Boolean).join(' · ')} · read{' '}
          <TimeAgo at={document.readAt} />
        </p>
      )}
      {missingSecrets.length > 0 && <MissingSecrets names={missingSecrets} />}
    </>
  )
}

function MissingSecrets({ names }: { names: readonly string[] }) {
  const mayWrite = useCan('secrets.write')
  return (
    <Notice
      isApart
      tone="ask"
      title={names.length === 1 ? 'A secret is missing' : `${names.length} secrets are missing`}
    >
      Its tools cannot be called until {names.join(', ')} {names.length === 1 ? 'is' : 'are'} set.{' '}
      {mayWrite &&
        names.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/secrets" search={{ add: name }} {...props} />}
          >
            Set {name}
          </Button>
        ))}
    </Notice>
  )
}

function ApiTabs({ imported }: { imported: ImportedApi }) {
  const { toolCounts } = imported
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Tabs
      value={tab === 'settings' ? 'settings' : 'tools'}
      onChange={(value) => void navigate({ search: value === 'settings' ? { tab: value } : {} })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab
          value="tools"
          rightSection={
            toolCounts.quarantined > 0 && <Tag tone="ask">{toolCounts.quarantined} to review</Tag>
          }
        >
          Operations
        </Tabs.Tab>
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tools">
        <ApiTools imported={imported} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <ApiSettings imported={imported} />
      </Tabs.Panel>
    </Tabs>
  )
}
