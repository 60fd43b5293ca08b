import type { Api } from '../../../api/client.ts'
import { LazyDeciding } from '../../approvals/lazy-deciding.tsx'
import { Outcome } from '../../approvals/decided.tsx'
import { Expiry } from '../../approvals/expiry.tsx'
import { Why } from '../../approvals/request.tsx'
import { useApproval } from '../../approvals/use-approvals.ts'
import type { Approval } from '../../approvals/use-approvals.ts'
import { Loading } from '../../../ui/loading.tsx'
import { Failed } from '../../../ui/states.tsx'
import styles from './message.module.css'

interface ApprovalInPlaceProps {
  id: string
  /** The conversation's copy, shown until the approval itself is loaded. */
  known: Approval | undefined
  tool: Api<'ToolDetail'> | undefined
}

/**
 * The approval of a call, decided inside the conversation. It is the same approval as in the inbox:
 * the first decision counts, and everybody sees it.
 */
export function ApprovalInPlace({ id, known, tool }: ApprovalInPlaceProps) {
  const { data, error, isError, refetch } = useApproval(id, { known })
  if (data === undefined) {
    return isError ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={2} />
  }
  if (data.status !== 'pending') {
    return (
      <p className={styles.quiet}>
        <Outcome approval={data} /> The agent continues when all its requests are decided.
      </p>
    )
  }
  return (
    <>
      <Why approval={data} tool={tool} />
      <LazyDeciding
        key={`${data.id} ${data.revision} ${tool === undefined}`}
        approval={data}
        tool={tool}
        onDecided={() => undefined}
        onLate={() => void refetch()}
        isCompact
      />
      <span className={styles.cardFoot}>
        <Expiry at={data.expiresAt} />
      </span>
    </>
  )
}
