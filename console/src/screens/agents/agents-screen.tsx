import { Button, Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { holds, useCan, useMe } from '../../api/me.ts'
import { useCreating } from '../../ui/dialog/creating.ts'
import { FilterInput, isNarrowed, useSearchQuery } from '../../ui/list/filter-input.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { LoadingCards } from '../../ui/loading.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { AgentCard } from './agent-card.tsx'
import { CreateAgent } from './create-agent.tsx'
import { agentsQuery } from './parts/agent-queries.ts'
import { TenantPolicy } from './policy/tenant-policy.tsx'
import styles from './agents.module.css'

const route = getRouteApi('/agents')

/** The agents of this tenant, and the policy that applies to all of them. */
export function AgentsScreen() {
  const { tab = 'agents' } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, { open, close }] = useCreating('agent')
  const mayManage = useCan('agents.manage')
  const { permissions } = useMe()
  const mayRead = mayManage || holds(permissions, 'policy.read')
  const mayReadPolicy = holds(permissions, 'policy.read') || holds(permissions, 'policy.write')
  return (
    <Page
      title="Agents & policy"
      description="Agents, their tools, and the policy of this tenant."
      actions={
        mayManage && (
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={open}>
            New agent
          </Button>
        )
      }
    >
      <Tabs
        value={tab === 'policy' ? 'policy' : 'agents'}
        onChange={(value) => void navigate({ search: value === 'policy' ? { tab: 'policy' } : {} })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="agents">Agents</Tabs.Tab>
          <Tabs.Tab value="policy">Policy</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="agents">
          {mayRead ? (
            <AgentList onCreate={mayManage ? open : undefined} />
          ) : (
            <NotAllowed>
              You need the permission policy.read or agents.manage to see agents.
            </NotAllowed>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="policy">
          {mayReadPolicy ? (
            <TenantPolicy />
          ) : (
            <NotAllowed>
              You need the permission policy.read or policy.write to see the policy.
            </NotAllowed>
          )}
        </Tabs.Panel>
      </Tabs>
      {isCreating && <CreateAgent onClose={close} />}
    </Page>
  )
}

function AgentList({ onCreate }: { onCreate?: () => void }) {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = useSearchQuery(q)
  const agents = useInfiniteQuery(agentsQuery(asked))
  if (agents.isError && agents.data === undefined) {
    return <Failed error={agents.error} retry={() => void agents.refetch()} />
  }
  if (agents.data === undefined)
    return <LoadingCards cards={3} height={126} className={styles.cards} />
  const found = agents.data.pages.flatMap(({ items }) => items)
  const isFiltered = isNarrowed(q, asked, agents)
  if (found.length === 0 && !isFiltered) return <NoAgents onCreate={onCreate} />
  return (
    <>
      <div className={styles.toolbar}>
        <FilterInput
          label="Filter agents"
          placeholder="Filter by name, slug or model"
          value={q}
          onChange={(text) =>
            void navigate({ search: text === '' ? {} : { q: text }, replace: true })
          }
        />
        <output className={styles.count}>
          {found.length} {found.length === 1 ? 'agent' : 'agents'}
          {agents.hasNextPage && ' loaded'}
        </output>
      </div>
      {found.length === 0 ? (
        <Empty
          title="No agents found"
          actions={
            <Button variant="default" onClick={() => void navigate({ search: {} })}>
              Clear filter
            </Button>
          }
        />
      ) : (
        <ul className={styles.cards}>
          {found.map((agent) => (
            <li key={agent.slug}>
              <AgentCard agent={agent} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore query={agents} />
    </>
  )
}

function NoAgents({ onCreate }: { onCreate?: () => void }) {
  return (
    <Empty
      title="No agents yet"
      icon={<IconRobot size={24} stroke={1.5} aria-hidden="true" />}
      actions={onCreate && <Button onClick={onCreate}>New agent</Button>}
    >
      An agent is a model with instructions and a set of tools. Create one here, or define it in the
      configuration.
    </Empty>
  )
}
