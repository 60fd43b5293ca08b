import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { CallResult } from '../../output/call-result.tsx'
import { JsonTree } from '../../output/json-tree.tsx'
import { StatusTag } from '../../ui/meaning.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import type { Approval } from './use-approvals.ts'
import { useNameOf } from './who.tsx'
import styles from './approvals.module.css'

interface DecidedProps {
  approval: Approval
  tool: Api<'ToolDetail'> | undefined
  /** This person wanted to decide, and somebody was quicker. */
  isLate?: boolean
}

const tones: Partial<Record<Approval['status'], Tone>> = { approved: 'allow', rejected: 'deny' }

/** What became of a request: who said what, when, and what the call gave. */
export function Decided({ approval, tool, isLate = false }: DecidedProps) {
  return (
    <>
      <output className={styles.outcome}>
        <Notice
          tone={isLate ? 'ask' : (tones[approval.status] ?? 'plain')}
          title={<Outcome approval={approval} isLate={isLate} />}
        />
      </output>
      {approval.decisions.length > 0 && <Decisions approval={approval} />}
      <div>
        <span className={styles.label}>Arguments</span>
        <JsonTree
          value={(approval.input ?? null) as JsonValue}
          label={`Arguments of ${approval.tool}`}
        />
      </div>
      {approval.status === 'approved' && <CameOfIt callId={approval.callId} tool={tool} />}
    </>
  )
}

/** `Approved by anna 12 s ago.` */
export function Outcome({ approval, isLate = false }: Pick<DecidedProps, 'approval' | 'isLate'>) {
  const nameOf = useNameOf()
  const { status, decisions, decidedAt, expiresAt } = approval
  const last = decisions.at(-1)
  if (status === 'expired') {
    return (
      <>
        Nobody decided in time: it expired <TimeAgo at={expiresAt} />, and the call was denied.
      </>
    )
  }
  if (status === 'cancelled') return <>The call has ended, so nothing is left to decide.</>
  const word = isLate ? `Already ${status}` : status === 'approved' ? 'Approved' : 'Rejected'
  if (last === undefined) return <>{word}.</>
  return (
    <>
      {word} by {nameOf(last.by)} <TimeAgo at={decidedAt ?? last.at} />.
    </>
  )
}

function Decisions({ approval }: { approval: Approval }) {
  const nameOf = useNameOf()
  return (
    <ul className={styles.decisions} aria-label="Decisions">
      {approval.decisions.map(({ by, decision, at, reason, isEdited }) => (
        <li key={`${by.kind}:${by.id} ${at}`}>
          <StatusTag status={decision === 'approve' ? 'approved' : 'rejected'} />{' '}
          <strong>{nameOf(by)}</strong> {isEdited && <Tag tone="iris">with edited arguments</Tag>}{' '}
          <TimeAgo at={at} />
          {reason !== undefined && <q dir="auto">{reason}</q>}
        </li>
      ))}
    </ul>
  )
}

function CameOfIt({ callId, tool }: { callId: string; tool: Api<'ToolDetail'> | undefined }) {
  const { data } = useQuery({
    queryKey: ['call', callId, 'outcome'],
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } })),
  })
  if (data === undefined) return null
  return (
    <div>
      <span className={styles.label}>What came of it</span>
      <CallResult call={data} {...(tool !== undefined && { tool })} />
    </div>
  )
}
