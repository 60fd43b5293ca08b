import type { Api } from '../../../api/client.ts'
import { LateDeciding } from '../../approvals/late-deciding.tsx'
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
  /** As the conversation has it, until it is read for itself. */
  known: Approval | undefined
  tool: Api<'ToolDetail'> | undefined
}

/**
 * The question of a call, to be answered where it is asked. It is the same row on the server as in the
 * inbox: whoever is first decides, and the others see it here.
 */
export function ApprovalInPlace({ id, known, tool }: ApprovalInPlaceProps) {
  const { data, error, isError, refetch } = useApproval(id, { known })
  if (data === undefined) {
    return isError ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={2} />
  }
  if (data.status !== 'pending') {
    return (
      <p className={styles.quiet}>
        <Outcome approval={data} /> The agent goes on when everything it asked is decided.
      </p>
    )
  }
  return (
    <>
      <Why approval={data} tool={tool} />
      <LateDeciding
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
