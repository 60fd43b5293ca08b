import { Decision } from '../../ui/quarantine/decision.tsx'
import { Quarantined } from '../../ui/quarantine/quarantined.tsx'
import { EffectTag } from '../../ui/status-tags.tsx'
import type { ApiTool } from './api-queries.ts'
import { useDecide } from './use-decide.ts'
import styles from './apis.module.css'

interface QuarantinedOperationProps {
  name: string
  tool: ApiTool
}

/** An operation that can't be called until someone has reviewed it. */
export function QuarantinedOperation({ name, tool }: QuarantinedOperationProps) {
  const decide = useDecide(name, [tool])
  return (
    <Quarantined
      name={tool.name}
      reason={tool.reason}
      differences={tool.differences}
      tags={<EffectTag effect={tool.effect} />}
      notes={tool.findings.map(({ message }) => (
        <p key={message} className={styles.finding}>
          {message}
        </p>
      ))}
      decision={tool.differences !== undefined && <Decision decide={decide} />}
    />
  )
}
