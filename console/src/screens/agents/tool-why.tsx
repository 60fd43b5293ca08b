import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DecisionTrace } from '../../ui/decision-trace.tsx'
import { DecisionTag } from '../../ui/meaning.tsx'
import { Panel } from '../../ui/page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { whyQuery } from './parts/agent-queries.ts'
import type { Look } from './parts/agent-queries.ts'
import styles from './agent.module.css'

interface ToolWhyProps {
  agent: string
  tool: string
  title?: string
  look: Look
}

/** Why an agent sees one tool, asks about it, or does not know of it. */
export function ToolWhy({ agent, tool, title = tool, look }: ToolWhyProps) {
  const why = useQuery(whyQuery(agent, tool, look))
  const explanation = why.data
  if (explanation === undefined || explanation.tool !== tool) {
    return (
      <Panel title={`Why ${title}`} className={styles.why}>
        {why.isError ? (
          <Failed error={why.error} retry={() => void why.refetch()} />
        ) : (
          <Loading rows={7} />
        )}
      </Panel>
    )
  }
  const decision = explanation.visible ? explanation.verdict : 'hidden'
  return (
    <Panel
      title={`Why ${title} is ${words[decision] ?? decision}`}
      description="Layers are checked in order; the first stop decides."
      actions={<DecisionTag decision={decision} />}
      className={styles.why}
    >
      <DecisionTrace tool={tool} layers={explanation.layers} asks={explanation.asks} />
      <p className={styles.more}>
        <Link to="/tools/$name" params={{ name: tool }}>
          Open the tool
        </Link>
        {explanation.labels !== undefined && (
          <span>
            {' · '}reads {explanation.labels.reads.join(', ') || 'nothing labelled'}, effects{' '}
            {explanation.labels.effects}
          </span>
        )}
      </p>
    </Panel>
  )
}

const words: Record<string, string> = {
  allow: 'allowed',
  ask: 'asked about',
  deny: 'denied',
  hidden: 'hidden',
}
