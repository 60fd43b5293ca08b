import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode, Ref } from 'react'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { ApprovalPreview } from '../../preview/approval-preview.tsx'
import { FactPair } from '../../ui/inbox/fact-pair.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { EffectTag, StatusTag } from '../../ui/status-tags.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { Decided } from './decided.tsx'
import { LazyDeciding } from './lazy-deciding.tsx'
import type { DecidingHandle } from '../../ui/inbox/use-inbox-keys.ts'
import { Expiry } from './expiry.tsx'
import { saidYes } from './why-not.ts'
import { describeEffect } from './describe-effect.ts'
import { useApproval, useToolOf } from './use-approvals.ts'
import type { Approval } from './use-approvals.ts'
import { useNames } from '../../api/use-names.ts'
import styles from './approvals.module.css'

interface RequestProps {
  id: string
  /** The list's copy, shown until the request itself is loaded. */
  known?: Approval | undefined
  onDecided: (decided: Approval) => void
  /** Receives the focus when the keyboard moves to this request. */
  headingRef?: Ref<HTMLHeadingElement>
  /** A link to the next request, once this one is decided. */
  next?: ReactNode
  ref?: Ref<DecidingHandle>
}

/** One request: why it needs approval, who made it, its input, and the decision. */
export function Request({ id, known, onDecided, headingRef, next, ref }: RequestProps) {
  const query = useApproval(id, { known })
  return (
    <QueryView query={query}>
      {(approval) => (
        <RequestView
          approval={approval}
          onDecided={onDecided}
          next={next}
          {...(headingRef !== undefined && { headingRef })}
          {...(ref !== undefined && { ref })}
        />
      )}
    </QueryView>
  )
}

type ViewProps = Pick<RequestProps, 'onDecided' | 'headingRef' | 'next' | 'ref'> & {
  approval: Approval
}

function RequestView({ approval, onDecided, headingRef, next, ref }: ViewProps) {
  const tool = useToolOf(approval.tool)
  const isPending = approval.status === 'pending'
  const [isLate, setLate] = useState(false)
  const [seen] = useState(approval.revision)
  return (
    <section className={styles.request} aria-label={`Request: ${approval.tool}`} data-framed>
      <div className={styles.head}>
        <Title order={2} ref={headingRef} tabIndex={-1} dir="auto">
          {tool.data?.title ?? approval.tool}
        </Title>
        <div className={styles.tags}>
          <Tags approval={approval} tool={tool.data} />
        </div>
      </div>
      <div className={styles.meta}>
        <CopyText text={approval.tool} />
        <span>
          requested <TimeAgo at={approval.createdAt} />
        </span>
        {isPending && <Expiry at={approval.expiresAt} />}
      </div>
      {isPending && approval.revision > seen && <ChangedMeanwhile approval={approval} />}
      {isPending && !tool.isPending && <Why approval={approval} tool={tool.data} />}
      <ApprovalPreview preview={approval.preview} />
      <Facts approval={approval} />
      {isPending ? (
        tool.isPending ? (
          <Loading rows={3} />
        ) : (
          <LazyDeciding
            key={`${approval.id} ${approval.revision}`}
            approval={approval}
            tool={tool.data}
            onDecided={onDecided}
            onLate={() => setLate(true)}
            {...(ref !== undefined && { ref })}
          />
        )
      ) : (
        <Decided approval={approval} tool={tool.data} isLate={isLate} />
      )}
      {!isPending && <div className={styles.bar}>{next}</div>}
    </section>
  )
}

function ChangedMeanwhile({ approval }: { approval: Approval }) {
  const what =
    approval.preview?.previous === undefined
      ? 'Someone edited the input after you opened this request.'
      : 'This call would now change something else than when you opened the request.'
  return (
    <p className={styles.notice} role="alert">
      {what} Check it again before you decide.
    </p>
  )
}

function Tags({ approval, tool }: WhyProps) {
  const { agent } = approval.requestedBy
  return (
    <>
      {agent !== undefined && <Tag>agent {agent}</Tag>}
      {tool !== undefined && <EffectTag effect={tool.effect} />}
      {approval.status !== 'pending' && <StatusTag status={approval.status} />}
    </>
  )
}

interface WhyProps {
  approval: Approval
  tool: Api<'ToolDetail'> | undefined
}

/** Why the call needs approval, and what it would do. */
export function Why({ approval, tool }: WhyProps) {
  return (
    <div className={styles.why} data-effect={tool?.effect ?? 'destructive'}>
      <ul aria-label="Why this needs approval">
        {approval.reasons.map((reason) => (
          <li key={reason} dir="auto">
            {toSentence(reason)}
          </li>
        ))}
      </ul>
      <p>{describeEffect(tool)}</p>
    </div>
  )
}

function toSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
}

const conversation = /^conv_/

function Facts({ approval }: { approval: Approval }) {
  const nameOf = useNames()
  const mayReadPolicy = useCan('policy.read')
  const { requestedBy, sessionId, callId, needed, approvers } = approval
  const { agent } = requestedBy
  const yes = saidYes(approval)
  const nameApprover = (approver: string) => {
    const id = /^user:(.*)$/s.exec(approver)?.[1]
    return id === undefined ? approver : nameOf({ kind: 'user', id })
  }
  return (
    <dl className={styles.facts}>
      <FactPair label="Requested by">{nameOf(requestedBy.principal)}</FactPair>
      {agent !== undefined && (
        <FactPair label="Agent">
          {mayReadPolicy ? (
            <Link to="/agents/$slug" params={{ slug: agent }}>
              {agent}
            </Link>
          ) : (
            agent
          )}
        </FactPair>
      )}
      {sessionId !== undefined && (
        <FactPair label={conversation.test(sessionId) ? 'Conversation' : 'Session'}>
          {agent !== undefined && conversation.test(sessionId) ? (
            <Link to="/chat/{-$agent}/{-$conversation}" params={{ agent, conversation: sessionId }}>
              Open conversation
            </Link>
          ) : (
            <CopyText text={sessionId} />
          )}
        </FactPair>
      )}
      <FactPair label="Call">
        <Link to="/calls/$id" params={{ id: callId }}>
          Open call
        </Link>
      </FactPair>
      {needed > 1 && (
        <FactPair label="Approvals">
          {`${yes.length} of ${needed}`}
          {yes.length > 0 && ` (${yes.map(nameOf).join(', ')})`}
        </FactPair>
      )}
      {approvers !== undefined && (
        <FactPair label="Approvers">{approvers.map(nameApprover).join(', ')}</FactPair>
      )}
    </dl>
  )
}
