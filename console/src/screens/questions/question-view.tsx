import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { ReactNode, Ref } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { useNames } from '../../api/use-names.ts'
import { FactPair } from '../../ui/inbox/fact-pair.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import type { DecidingHandle } from '../../ui/inbox/use-inbox-keys.ts'
import { Expiry } from '../approvals/expiry.tsx'
import styles from '../approvals/approvals.module.css'
import { toFormTool } from './to-form-tool.ts'
import { useQuestion } from './use-questions.ts'
import type { AskedQuestion } from './use-questions.ts'
import { statusWords, toAddressee } from './words.ts'

// The form, the Markdown and the view of an answer are large.
const AnswerForm = lazyPart(async () => (await import('./answer-form.tsx')).AnswerForm)
const Markdown = lazyPart(async () => (await import('../../output/text/markdown.tsx')).Markdown)
const InputView = lazyPart(async () => (await import('../../input/input-view.tsx')).InputView)

interface QuestionViewProps {
  id: string
  /** The list's copy, shown until the question itself is loaded. */
  known?: AskedQuestion | undefined
  onReplied?: (ended: AskedQuestion) => void
  /** Receives the focus when the keyboard moves to this question. */
  headingRef?: Ref<HTMLHeadingElement>
  /** It is shown on the page of its call. */
  isOnCall?: boolean
  /** A link to the next question, once this one has ended. */
  next?: ReactNode
  ref?: Ref<DecidingHandle>
}

/** One question: what is asked, by whom, the form, and how it ended. */
export function QuestionView({ id, known, headingRef, next, ...form }: QuestionViewProps) {
  const query = useQuestion(id, known)
  return (
    <QueryView query={query}>
      {(question) => (
        <section className={styles.request} aria-label={question.title} data-framed>
          <div className={styles.head}>
            <Title order={2} ref={headingRef} tabIndex={-1} dir="auto">
              {question.title}
            </Title>
            <div className={styles.tags}>
              {question.askedBy.agent !== undefined && <Tag>agent {question.askedBy.agent}</Tag>}
              {question.status !== 'pending' && <Tag>{statusWords[question.status]}</Tag>}
            </div>
          </div>
          <div className={styles.meta}>
            <span>
              asked <TimeAgo at={question.createdAt} />
            </span>
            {question.status === 'pending' && <Expiry at={question.expiresAt} />}
          </div>
          <QuestionBody question={question} {...form} />
          {question.status !== 'pending' && <div className={styles.bar}>{next}</div>}
        </section>
      )}
    </QueryView>
  )
}

type BodyProps = { question: AskedQuestion } & Pick<
  QuestionViewProps,
  'onReplied' | 'ref' | 'isOnCall'
>

function QuestionBody({ question, isOnCall = false, ...form }: BodyProps) {
  const { id, text, status, mayAnswer } = question
  return (
    <>
      {text !== undefined && (
        <Suspense fallback={<Loading rows={2} />}>
          <Markdown text={text} hasImages={false} />
        </Suspense>
      )}
      <Facts question={question} isOnCall={isOnCall} />
      {mayAnswer && (
        <Suspense fallback={<Loading rows={3} />}>
          <AnswerForm key={id} question={question} {...form} />
        </Suspense>
      )}
      {!mayAnswer && status === 'pending' && (
        <p className={styles.notice}>Only those who are asked can answer.</p>
      )}
      {status !== 'pending' && <Ended question={question} />}
    </>
  )
}

function Ended({ question }: { question: AskedQuestion }) {
  const { id, schema, form, answer, reason, status } = question
  return (
    <>
      <output className={styles.outcome}>
        <Notice
          tone={status === 'answered' ? 'allow' : 'plain'}
          title={<Outcome question={question} />}
        >
          {reason !== undefined && <q dir="auto">{reason}</q>}
        </Notice>
      </output>
      {answer !== undefined && (
        <Suspense fallback={<Loading rows={2} />}>
          <InputView
            title="Answer"
            tool={toFormTool(id, schema, form)}
            value={answer as JsonValue}
          />
        </Suspense>
      )}
    </>
  )
}

function Outcome({ question }: { question: AskedQuestion }) {
  const nameOf = useNames()
  const { status, answeredBy, endedAt, answer } = question
  const at = endedAt !== undefined && <TimeAgo at={endedAt} />
  if (status === 'withdrawn') return <>The call ended {at}, so no answer is needed.</>
  if (status === 'expired') {
    const end = answer === undefined ? 'The call failed.' : 'The call got the default answer.'
    return (
      <>
        Expired {at}. {end}
      </>
    )
  }
  return (
    <>
      {statusWords[status]}
      {answeredBy !== undefined && <> by {nameOf(answeredBy)}</>} {at}.
    </>
  )
}

function Facts({ question, isOnCall }: { question: AskedQuestion; isOnCall: boolean }) {
  const nameOf = useNames()
  const { askedBy, to, callId, reminders } = question
  const userOf = (id: string) => nameOf({ kind: 'user', id })
  return (
    <dl className={styles.facts}>
      <FactPair label="Asked by">{nameOf(askedBy.principal)}</FactPair>
      <FactPair label="For">{to.map((one) => toAddressee(one, userOf)).join(', ')}</FactPair>
      {reminders > 0 && <FactPair label="Reminders">{reminders}</FactPair>}
      {!isOnCall && (
        <FactPair label="Call">
          <Link to="/calls/$id" params={{ id: callId }}>
            Open call
          </Link>
        </FactPair>
      )}
    </dl>
  )
}
