import { Button, Tabs } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconPower, IconRefresh } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { holds, useCan, useMe } from '../../api/me.ts'
import { isGone } from '../../api/problem.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Loading, LoadingTabs } from '../../ui/loading.tsx'
import { Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { ServerConnections } from './server-connections.tsx'
import { serverQuery } from './server-queries.ts'
import type { McpServer } from './server-queries.ts'
import { ServerSettings } from './server-settings.tsx'
import { formatPlace, describeState, ServerStateTag } from './server-state.tsx'
import { ServerTools } from './server-tools.tsx'
import { SignInButton } from '../../ui/sign-in-button.tsx'
import { TestResult } from './test-result.tsx'
import styles from './mcp-servers.module.css'

const route = getRouteApi('/mcp-servers/$name')
const readers = ['mcp.manage', 'tools.approve', 'policy.read']

/** One MCP server: its state, tools, sign-ins and settings. */
export function McpServerScreen() {
  const { name } = route.useParams()
  const { permissions } = useMe()
  const mayRead = readers.some((permission) => holds(permissions, permission))
  const server = useQuery({ ...serverQuery(name), enabled: mayRead })
  if (server.data !== undefined && !isGone(server.error)) return <Loaded server={server.data} />
  return (
    <Page title={name} description={<Link to="/mcp-servers">All MCP servers</Link>}>
      {!mayRead ? (
        <NotAllowed>
          You need mcp.manage, tools.approve or policy.read to see MCP servers.
        </NotAllowed>
      ) : server.isError ? (
        <Failed error={server.error} retry={() => void server.refetch()} />
      ) : (
        <>
          <LoadingTabs tabs={2} />
          <Loading rows={8} height={43} />
        </>
      )}
    </Page>
  )
}

function Loaded({ server }: { server: McpServer }) {
  const { name, title, state, isDeclared, oauth } = server
  const mayManage = useCan('mcp.manage')
  return (
    <Page
      title={title ?? name}
      badges={
        <>
          <ServerStateTag state={state} />
          {isDeclared && <Tag>From config</Tag>}
        </>
      }
      description={
        <>
          <code>{name}</code> · {formatPlace(server)}
        </>
      }
      actions={
        <>
          {oauth !== undefined && <SignInButton name={name} isUrgent={state === 'unauthorized'} />}
          {mayManage && <Checks name={name} />}
        </>
      }
    >
      <Standing server={server} />
      <ServerTabs server={server} />
    </Page>
  )
}

function ServerTabs({ server }: { server: McpServer }) {
  const { name, toolCounts, oauth } = server
  const { tab = 'tools' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Tabs
      value={['connections', 'settings'].includes(tab) ? tab : 'tools'}
      onChange={(value) =>
        void navigate({ search: value === 'tools' || value === null ? {} : { tab: value } })
      }
    >
      <Tabs.List mb="md">
        <Tabs.Tab
          value="tools"
          rightSection={
            toolCounts.quarantined > 0 && <Tag tone="ask">{toolCounts.quarantined} to review</Tag>
          }
        >
          Tools
        </Tabs.Tab>
        {oauth !== undefined && <Tabs.Tab value="connections">Sign-ins</Tabs.Tab>}
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tools">
        {toolCounts.beyond !== undefined && (
          <Notice isApart tone="ask" title="Too many tools">
            At least {toolCounts.beyond} tools are over the limit and not available.
          </Notice>
        )}
        <ServerTools server={server} />
      </Tabs.Panel>
      <Tabs.Panel value="connections">
        <ServerConnections name={name} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <ServerSettings server={server} />
      </Tabs.Panel>
    </Tabs>
  )
}

/** The problem and its fix, or since when the server is connected. */
function Standing({ server }: { server: McpServer }) {
  const { state, fix, listedAt, protocol, about } = server
  const isWell = state === 'connected' || state === 'idle' || state === 'connecting'
  if (!isWell) {
    return (
      <Notice
        isApart
        tone={state === 'unauthorized' ? 'ask' : state === 'disabled' ? 'plain' : 'deny'}
        title={describeState(server)}
      >
        {fix}
      </Notice>
    )
  }
  const facts = [
    about?.title ?? about?.name,
    about?.version,
    protocol && `protocol ${protocol.version}`,
  ].filter(Boolean)
  return (
    <p className={styles.standing}>
      {[describeState(server), facts.join(' · ')].filter(Boolean).join(' ')}
      {listedAt !== undefined && (
        <>
          {' · '}
          tools read <TimeAgo at={listedAt} />
        </>
      )}
    </p>
  )
}

function Checks({ name }: { name: string }) {
  const queryClient = useQueryClient()
  const refresh = useMutation({
    mutationFn: (restart: boolean) =>
      read(
        api.POST('/api/v1/mcp-servers/{name}/refresh', {
          params: { path: { name } },
          body: { restart },
        }),
      ),
    onSuccess: (_server, restart) => restart && notifySuccess(`${name} restarted`),
    onSettled: () => refreshServers(queryClient),
    onError: notifyFailure,
  })
  const isBusy = (isRestart: boolean) => refresh.isPending && refresh.variables === isRestart
  async function restart(): Promise<void> {
    const isSure = await confirm({
      title: `Restart ${name}?`,
      message: 'This ends its processes and connections, including running calls.',
      confirmLabel: 'Restart',
    })
    if (isSure) refresh.mutate(true)
  }
  return (
    <>
      <TryServer name={name} />
      <Button
        variant="default"
        loading={isBusy(true)}
        leftSection={<IconPower size={15} aria-hidden="true" />}
        onClick={() => void restart()}
      >
        Restart
      </Button>
      <Button
        variant="default"
        loading={isBusy(false)}
        leftSection={<IconRefresh size={15} aria-hidden="true" />}
        onClick={() => refresh.mutate(false)}
      >
        Refresh
      </Button>
    </>
  )
}

function TryServer({ name }: { name: string }) {
  const trial = useMutation({
    mutationFn: () =>
      read(api.POST('/api/v1/mcp-servers/{name}/test', { params: { path: { name } }, body: {} })),
    onError: notifyFailure,
  })
  return (
    <>
      <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
        Test
      </Button>
      {trial.data !== undefined && (
        <output className={styles.trial}>
          <TestResult result={trial.data} />
        </output>
      )}
    </>
  )
}
