import { SegmentedControl, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconMessage } from '@tabler/icons-react'
import { holds, useCan, useMe } from '../../api/me.ts'
import { isGone } from '../../api/problem.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, LoadingTabs } from '../../ui/loading.tsx'
import { Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { AgentPolicy } from './agent-policy.tsx'
import { AgentRuns } from './agent-runs.tsx'
import { AgentSettings } from './agent-settings.tsx'
import { AgentSkills } from './agent-skills.tsx'
import { AgentTools } from './agent-tools.tsx'
import { agentQuery, asRuntime, runtimeWords } from './parts/agent-queries.ts'
import type { Agent, Runtime } from './parts/agent-queries.ts'
import { TestAs } from './test-as.tsx'
import styles from './agent.module.css'

const route = getRouteApi('/agents/$slug')
const tabs = [
  { value: 'tools', label: 'Tools' },
  { value: 'policy', label: 'Policy' },
  { value: 'skills', label: 'Skills' },
  { value: 'runs', label: 'Runs' },
  { value: 'test', label: 'Test as' },
  { value: 'settings', label: 'Settings' },
] as const

/** One agent: which tools it can use and why, and the settings behind that. */
export function AgentScreen() {
  const { slug } = route.useParams()
  const { permissions } = useMe()
  const mayRead = holds(permissions, 'policy.read') || holds(permissions, 'agents.manage')
  const agent = useQuery({ ...agentQuery(slug), enabled: mayRead })
  if (!mayRead) {
    return (
      <Page title={slug} description={<Link to="/agents">All agents</Link>}>
        <NotAllowed>You need the permission policy.read or agents.manage to see agents.</NotAllowed>
      </Page>
    )
  }
  if (agent.data !== undefined && !isGone(agent.error)) return <AgentPage agent={agent.data} />
  return (
    <Page title={slug} description={<Link to="/agents">All agents</Link>}>
      {agent.isError ? (
        <Failed error={agent.error} retry={() => void agent.refetch()} />
      ) : (
        <>
          <LoadingTabs tabs={tabs.length} />
          <Loading rows={9} height={53} />
        </>
      )}
    </Page>
  )
}

function AgentPage({ agent }: { agent: Agent }) {
  const { slug, name, model, autonomy, isDeclared, closed, warnings } = agent
  const { tab = 'tools' } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChat = useCan('agents.chat')
  const shown = tabs.find(({ value }) => value === tab)?.value ?? 'tools'
  return (
    <Page
      title={name ?? slug}
      badges={
        <>
          <Tag>{isDeclared ? 'From config' : 'Created here'}</Tag>
          <Tag>{autonomy}</Tag>
        </>
      }
      description={
        <>
          <code>{slug}</code> · {model} · What this agent can see and do, and why
        </>
      }
      actions={
        <>
          {shown === 'tools' && <RuntimeSwitch />}
          {mayChat && <ChatButton slug={slug} />}
        </>
      }
    >
      <AgentWarnings closed={closed} warnings={warnings} />
      <Tabs
        value={shown}
        onChange={(value) =>
          void navigate({ search: value === 'tools' || value === null ? {} : { tab: value } })
        }
      >
        <Tabs.List mb="md">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <TabPanels agent={agent} />
      </Tabs>
    </Page>
  )
}

function TabPanels({ agent }: { agent: Agent }) {
  return (
    <>
      <Tabs.Panel value="tools">
        <ToolsTab slug={agent.slug} />
      </Tabs.Panel>
      <Tabs.Panel value="policy">
        <AgentPolicy agent={agent} />
      </Tabs.Panel>
      <Tabs.Panel value="skills">
        <AgentSkills agent={agent} />
      </Tabs.Panel>
      <Tabs.Panel value="runs">
        <AgentRuns slug={agent.slug} />
      </Tabs.Panel>
      <Tabs.Panel value="test">
        <TestAs agent={agent} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <AgentSettings agent={agent} />
      </Tabs.Panel>
    </>
  )
}

function AgentWarnings({ closed, warnings }: Pick<Agent, 'closed' | 'warnings'>) {
  return (
    <>
      {closed !== undefined && (
        <p className={styles.closed} role="alert">
          {closed}
        </p>
      )}
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function ChatButton({ slug }: { slug: string }) {
  return (
    <LinkButton
      variant="default"
      to="/chat/{-$agent}/{-$conversation}"
      params={{ agent: slug }}
      leftSection={<IconMessage size={16} aria-hidden="true" />}
    >
      Chat
    </LinkButton>
  )
}

function ToolsTab({ slug }: { slug: string }) {
  const { runtime } = route.useSearch()
  return <AgentTools slug={slug} look={{ runtime: asRuntime(runtime) }} />
}

const usual: readonly Runtime[] = ['chat', 'task', 'webhook', 'api', 'mcp']

function RuntimeSwitch() {
  const { runtime } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SegmentedControl
      aria-label="Runtime"
      withItemsBorders={false}
      value={asRuntime(runtime)}
      onChange={(value) =>
        void navigate({ search: (before) => ({ ...before, runtime: value }), replace: true })
      }
      data={usual.map((value) => ({ value, label: runtimeWords[value] }))}
    />
  )
}
