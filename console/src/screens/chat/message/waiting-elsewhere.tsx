import { IconUsers } from '@tabler/icons-react'
import { useToolOf } from '../../approvals/use-approvals.ts'
import type { Approval } from '../../approvals/use-approvals.ts'
import { Tag } from '../../../ui/tag.tsx'
import { isToolPart } from '../turn/message.ts'
import type { Message } from '../turn/message.ts'
import { ApprovalInPlace } from './approval-in-place.tsx'
import styles from './message.module.css'

interface WaitingElsewhereProps {
  waiting: readonly Approval[]
  messages: readonly Message[]
}

/** Approvals requested by sub-agents: this conversation has no call to attach them to. */
export function WaitingElsewhere({ waiting, messages }: WaitingElsewhereProps) {
  const shown = new Set(
    messages.flatMap(({ parts }) => parts.filter(isToolPart).map(({ approval }) => approval?.id)),
  )
  return waiting
    .filter(({ id }) => !shown.has(id))
    .map((approval) => <Question key={approval.id} approval={approval} />)
}

function Question({ approval }: { approval: Approval }) {
  const { data: tool } = useToolOf(approval.tool)
  return (
    <article className={styles.card} data-asks aria-label={`Approval of ${approval.tool}`}>
      <div className={styles.cardHead}>
        <IconUsers size={15} stroke={1.6} aria-hidden="true" />
        <span className={styles.cardName}>{tool?.title ?? approval.tool}</span>
        <Tag tone="ask">Needs approval</Tag>
        <span className={styles.cardSummary}>Requested by a sub-agent</span>
      </div>
      <div className={styles.cardBody}>
        <ApprovalInPlace id={approval.id} known={approval} tool={tool} />
      </div>
    </article>
  )
}
