import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconRobot } from '@tabler/icons-react'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { LoadingCards } from '../../ui/loading.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useChatAgents } from './use-agents.ts'
import type { ChatAgent } from './use-agents.ts'
import styles from './chat.module.css'

/** The agents you can chat with. */
export function ChooseAgent({ prompt }: { prompt: string | undefined }) {
  const query = useChatAgents()
  return (
    <Page
      title="Chat"
      description="Chat with an agent. Policy and approvals apply to its tool calls."
    >
      <QueryView
        query={query}
        loading={<LoadingCards cards={3} height={110} className={styles.agents} />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <NoAgents />
          ) : (
            <div className={styles.agents}>
              {items.map((agent) => (
                <AgentCard key={agent.slug} agent={agent} prompt={prompt} />
              ))}
            </div>
          )
        }
      </QueryView>
    </Page>
  )
}

function AgentCard({ agent, prompt }: { agent: ChatAgent; prompt: string | undefined }) {
  const { slug, name, description, model, problem } = agent
  return (
    <article className={styles.agent}>
      <div className={styles.agentTop}>
        <span className={styles.mark} aria-hidden="true">
          <IconRobot size={18} stroke={1.6} />
        </span>
        <h2 dir="auto">
          <Link
            to="/chat/{-$agent}/{-$conversation}"
            params={{ agent: slug, conversation: undefined }}
            search={prompt === undefined ? {} : { prompt }}
          >
            {name ?? slug}
          </Link>
        </h2>
      </div>
      <p dir="auto">{description ?? <code>{slug}</code>}</p>
      <div>
        <Tag>{model === '' ? 'no model' : model}</Tag>{' '}
        {problem !== undefined && <Tag tone="deny">can’t answer: {problem.message}</Tag>}
      </div>
    </article>
  )
}

function NoAgents() {
  const mayMake = useCan('agents.manage')
  return (
    <Empty
      title="No agents to chat with"
      icon={<IconRobot size={24} stroke={1.5} aria-hidden="true" />}
      actions={
        mayMake && (
          <Button component={Link} to="/agents">
            Create an agent
          </Button>
        )
      }
    >
      An agent is a model with instructions and tools.{' '}
      {mayMake
        ? 'Create one, or define it in the configuration.'
        : 'Someone who manages agents can create one.'}
    </Empty>
  )
}
