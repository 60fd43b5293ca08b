import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconBook2 } from '@tabler/icons-react'
import { useCan } from '../../api/me.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { agentQuery, countsQuery } from './parts/agent-queries.ts'
import type { AgentSummary } from './parts/agent-queries.ts'
import styles from './agents.module.css'

/** An agent in the list. Its tool counts load when the card scrolls into view. */
export function AgentCard({ agent }: { agent: AgentSummary }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const { slug, name, model, autonomy, isDeclared, closed } = agent
  const detail = useQuery({ ...agentQuery(slug), enabled: inViewport })
  return (
    <div className={styles.card} ref={ref}>
      <div className={styles.cardHead}>
        <div className={styles.names}>
          <Link to="/agents/$slug" params={{ slug }} className={styles.cardLink} dir="auto">
            {name ?? slug}
          </Link>
          <code>{slug}</code>
        </div>
        <Tag title={isDeclared ? 'Changed in the configuration' : 'Created and edited here'}>
          {isDeclared ? 'From config' : 'Created here'}
        </Tag>
      </div>
      {closed === undefined ? (
        <p className={styles.facts} dir="auto">
          {model} · {autonomy}
        </p>
      ) : (
        <p className={styles.closed}>{closed}</p>
      )}
      <div className={styles.cardFoot}>
        <Counts slug={slug} isSeen={inViewport} />
        <Skills names={detail.data?.skills.map((skill) => skill.name) ?? []} />
      </div>
    </div>
  )
}

function Counts({ slug, isSeen }: { slug: string; isSeen: boolean }) {
  const mayRead = useCan('policy.read')
  const { data: counts, isError } = useQuery({ ...countsQuery(slug), enabled: isSeen && mayRead })
  if (!mayRead || isError) return <span />
  if (counts === undefined) return <Skeleton height={20} width={180} />
  return (
    <span className={styles.counts}>
      <Tag tone="allow">Allow {counts.allow}</Tag>
      <Tag tone="ask">Ask {counts.ask}</Tag>
      <Tag>Hidden {counts.hidden}</Tag>
    </span>
  )
}

function Skills({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <span className={styles.skills} title={names.join(', ')}>
      <IconBook2 size={14} stroke={1.6} aria-hidden="true" />
      {names.length === 1 ? names[0] : `${names.length} skills`}
    </span>
  )
}
