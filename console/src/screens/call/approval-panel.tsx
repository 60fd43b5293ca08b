import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { fieldsOf } from '../../api/event-fields.ts'
import type { JsonValue } from '../../api/json.ts'
import { useNames } from '../../api/use-names.ts'
import { formatExactDateTime } from '../../ui/format/format-date-time.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { StatusTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { ChangeList } from '../approvals/change-list.tsx'
import type { CallLog } from './call-log.ts'
import styles from './call.module.css'

interface ApprovalPanelProps {
  call: Api<'CallRecord'>
  tool: Api<'ToolDetail'> | undefined
  log: CallLog
}

/** The decisions on a call: who, when, with which note, by which rule, and with which edits. */
export function ApprovalPanel({ call, tool, log }: ApprovalPanelProps) {
  const id = call.approvalId ?? approvalIdIn(log)
  const { data } = useQuery({
    queryKey: ['approvals', 'one', id],
    queryFn: () => read(api.GET('/api/v1/approvals/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
    retry: false,
  })
  if (data === undefined || data.status === 'pending') return null
  const before = requestedInput(log)
  const isEdited = data.decisions.some((one) => one.isEdited)
  return (
    <Panel
      title="Approval"
      actions={
        <Link className={styles.open} to="/approvals" search={{ status: 'decided', id: data.id }}>
          Open request
        </Link>
      }
    >
      <ApprovalFacts approval={data} />
      {isEdited && before !== undefined && (
        <div className={styles.edit}>
          <ChangeList
            tool={tool}
            before={before}
            after={(data.input ?? null) as JsonValue}
            label="Changes by the approver"
          />
        </div>
      )}
    </Panel>
  )
}

function ApprovalFacts({ approval }: { approval: Api<'Approval'> }) {
  const describeName = useNames()
  const { decisions, reasons, status } = approval
  return (
    <Facts>
      {decisions.length === 0 && (
        <Fact label="Decision">
          <StatusTag status={status} />
        </Fact>
      )}
      {decisions.map(({ by, decision, at, reason, isEdited }) => (
        <Fact key={at} label={decision === 'approve' ? 'Approved by' : 'Rejected by'}>
          <span className={styles.line}>
            <b>{describeName(by)}</b>
            <span>{formatExactDateTime(at)}</span>
            {isEdited && <span>edited the input</span>}
          </span>
          {reason !== undefined && <q className={styles.note}>{reason}</q>}
        </Fact>
      ))}
      <Fact label={reasons.length === 1 ? 'Rule' : 'Rules'}>{reasons.join('; ')}</Fact>
    </Facts>
  )
}

function approvalIdIn({ events }: CallLog): string | undefined {
  const asked = events.findLast(({ type }) => type.startsWith('approval.'))
  const id = asked && fieldsOf(asked).approvalId
  return typeof id === 'string' ? id : undefined
}

/** The requested input; large inputs are not in the log. */
function requestedInput({ events }: CallLog): JsonValue | undefined {
  const asked = events.find(({ type }) => type === 'call.requested')
  return asked && fieldsOf(asked).input
}
