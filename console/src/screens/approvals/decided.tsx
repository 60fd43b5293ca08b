import { Suspense } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import type { Approval } from './use-approvals.ts'
import { useNames } from '../../api/use-names.ts'
import styles from './approvals.module.css'

// The result view is large, and needed only for calls that ran.
const InputView = lazyPart(async () => (await import('../../input/input-view.tsx')).InputView)
const Result = lazyPart(async () => (await import('./result.tsx')).Result)

interface DecidedProps {
  approval: Approval
  tool: Api<'ToolDetail'> | undefined
  /** This person was about to decide when someone else did. */
  isLate?: boolean
}

const tones: Partial<Record<Approval['status'], Tone>> = { approved: 'allow', rejected: 'deny' }

/** A closed request: the result, who decided, when, and with which input. */
export function Decided({ approval, tool, isLate = false }: DecidedProps) {
  return (
    <>
      <output className={styles.outcome}>
        <Notice
          tone={isLate ? 'ask' : (tones[approval.status] ?? 'plain')}
          title={<Outcome approval={approval} isLate={isLate} />}
        />
      </output>
      {approval.status === 'approved' && (
        <Suspense fallback={<Loading rows={2} />}>
          <Result callId={approval.callId} tool={tool} />
        </Suspense>
      )}
      {hasMoreToSay(approval) && <Decisions approval={approval} />}
      <Suspense fallback={<Loading rows={2} />}>
        <InputView title="Input" tool={tool} value={(approval.input ?? null) as JsonValue} />
      </Suspense>
    </>
  )
}

/** Whether the list of decisions adds anything to the outcome. */
function hasMoreToSay({ decisions }: Approval): boolean {
  const [first, ...others] = decisions
  return others.length > 0 || first?.reason !== undefined || first?.isEdited === true
}

/** `Approved by anna 12 s ago.` */
export function Outcome({ approval, isLate = false }: Pick<DecidedProps, 'approval' | 'isLate'>) {
  const nameOf = useNames()
  const { status, decisions, decidedAt, expiresAt } = approval
  const last = decisions.at(-1)
  if (status === 'expired') {
    return (
      <>
        Expired <TimeAgo at={expiresAt} /> without a decision. The call was denied.
      </>
    )
  }
  if (status === 'cancelled') return <>The call has ended, so no decision is needed.</>
  const word = isLate ? `Already ${status}` : status === 'approved' ? 'Approved' : 'Rejected'
  if (last === undefined) return <>{word}.</>
  return (
    <>
      {word} by {nameOf(last.by)} <TimeAgo at={decidedAt ?? last.at} />.
    </>
  )
}

function Decisions({ approval }: { approval: Approval }) {
  const nameOf = useNames()
  return (
    <ul className={styles.decisions} aria-label="Decisions">
      {approval.decisions.map(({ by, decision, at, reason, isEdited }) => (
        <li key={`${by.kind}:${by.id} ${at}`}>
          <StatusTag status={decision === 'approve' ? 'approved' : 'rejected'} />{' '}
          <strong>{nameOf(by)}</strong> {isEdited && <Tag tone="iris">edited the input</Tag>}{' '}
          <TimeAgo at={at} />
          {reason !== undefined && <q dir="auto">{reason}</q>}
        </li>
      ))}
    </ul>
  )
}
