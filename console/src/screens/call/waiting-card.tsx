import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconHourglass } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import { fieldsOf } from '../../api/event-fields.ts'
import { QuestionView } from '../questions/question-view.tsx'
import { useQuestion, useQuestionOfCall } from '../questions/use-questions.ts'
import { TimeAgo } from '../../ui/time.tsx'
import type { CallLog } from './call-log.ts'
import styles from './call.module.css'

interface WaitingCardProps {
  call: Api<'CallRecord'>
  nested: readonly Api<'CallRecord'>[]
  log: CallLog
}

/** What a call is waiting for, and how it continues. */
export function WaitingCard({ call, nested, log }: WaitingCardProps) {
  if (call.status !== 'waiting') return null
  if (call.waitingFor === 'approval') return <ApprovalCard call={call} log={log} />
  if (call.waitingFor === 'call') return <NestedCard nested={nested} />
  const questionId = questionIn(log)
  if (questionId !== undefined) return <QuestionCard id={questionId} />
  return (
    <Card title="Waiting for an external worker">
      The call was handed over. It ends when the worker reports to{' '}
      <code>POST /api/v1/calls/{call.callId}/complete</code> with its token, or when it times out.
    </Card>
  )
}

/** The call it waits for; the form of its question, if it asks one. */
function NestedCard({ nested }: Pick<WaitingCardProps, 'nested'>) {
  const blocking = nested.find(({ status }) => status === 'waiting')
  const asking = blocking?.tool === 'flow.ask' ? blocking.callId : undefined
  const question = useQuestionOfCall(asking)
  if (question !== undefined) return <QuestionView id={question.id} known={question} />
  return (
    <Card
      title="Waiting for a nested call"
      action={
        blocking !== undefined && (
          <Button
            component={Link}
            to="/calls/$id"
            params={{ id: blocking.callId } as never}
            variant="default"
          >
            Open that call
          </Button>
        )
      }
    >
      It continues when that call ends.
    </Card>
  )
}

function questionIn({ events }: CallLog): string | undefined {
  const asked = events.findLast(({ type }) => type === 'question.asked')
  const id = asked && fieldsOf(asked).questionId
  return typeof id === 'string' ? id : undefined
}

/** The question with its form, if this person may see it. */
function QuestionCard({ id }: { id: string }) {
  const { data } = useQuestion(id)
  if (data !== undefined) return <QuestionView id={id} known={data} isOnCall />
  return <Card title="Waiting for an answer">It continues when somebody answers.</Card>
}

function ApprovalCard({ call, log }: { call: Api<'CallRecord'>; log: CallLog }) {
  const asked = log.events.findLast(({ type }) => type === 'approval.requested')
  const facts = (asked?.data ?? {}) as { reasons?: string[]; expiresAt?: string }
  const reasons = facts.reasons ?? call.decision?.reasons ?? []
  return (
    <Card
      title="Waiting for approval"
      action={
        <Button
          component={Link}
          to="/approvals"
          search={(call.approvalId === undefined ? {} : { id: call.approvalId }) as never}
        >
          Open request
        </Button>
      }
    >
      {reasons.length > 0 ? `${reasons.join('; ')}. ` : ''}
      Nothing runs until someone decides.
      {facts.expiresAt !== undefined && (
        <>
          {' '}
          Expires <TimeAgo at={facts.expiresAt} />
        </>
      )}
    </Card>
  )
}

interface CardProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

function Card({ title, action, children }: CardProps) {
  return (
    <section className={styles.waiting} aria-label={title}>
      <IconHourglass size={18} stroke={1.6} aria-hidden="true" />
      <div>
        <b>{title}</b>
        <p dir="auto">{children}</p>
      </div>
      {action}
    </section>
  )
}
