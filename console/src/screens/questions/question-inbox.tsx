import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconArrowLeft, IconMessageQuestion } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Loading } from '../../ui/loading.tsx'
import { useChosen, withChosen } from '../../ui/inbox/use-chosen.ts'
import { type DecidingHandle, useInboxKeys } from '../../ui/inbox/use-inbox-keys.ts'
import { modKey } from '../../ui/mod-key.ts'
import { Empty, Failed } from '../../ui/states.tsx'
import styles from '../approvals/approvals.module.css'
import { QuestionRows } from './question-list.tsx'
import { QuestionView } from './question-view.tsx'
import { useQuestion, useQuestions } from './use-questions.ts'
import type { AskedQuestion, QuestionList } from './use-questions.ts'
import { statusWords } from './words.ts'

interface QuestionInboxProps {
  list: QuestionList
  id: string | undefined
}

/** Questions of one list, and the selected one beside it. */
export function QuestionInbox({ list, id }: QuestionInboxProps) {
  const query = useQuestions(list)
  const listed = (query.data?.pages.flatMap((page) => page.items) ?? []).filter(
    ({ status }) => list !== 'ended' || status !== 'pending',
  )
  const isGone = id !== undefined && !listed.some((one) => one.id === id)
  const gone = useQuestion(isGone ? id : undefined)
  const items = withChosen(listed, isGone ? gone.data : undefined)
  if (query.isPending) return <Loading rows={4} height={76} />
  if (query.isError && query.data === undefined) {
    return <Failed error={query.error} retry={() => void query.refetch()} />
  }
  if (items.length === 0) return <NoQuestions list={list} />
  return (
    <div className={styles.inbox} data-open={id === undefined ? undefined : true}>
      <section className={styles.list} aria-label="Questions" tabIndex={0}>
        <QuestionRows items={items} currentId={id} query={query} />
      </section>
      <Selected list={list} id={id} items={items} />
    </div>
  )
}

/** The selected question, with the keys that work on it. */
function Selected({ list, id, items }: QuestionInboxProps & { items: readonly AskedQuestion[] }) {
  const { go, next } = useMoves(items, id)
  const [announced, announce] = useState('')
  const deciding = useRef<DecidingHandle>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const focusHeading = () =>
    requestAnimationFrame(() => requestAnimationFrame(() => heading.current?.focus()))
  useInboxKeys({
    move: (step) => {
      if (go(step)) focusHeading()
    },
    deciding,
  })
  if (id === undefined) return null
  function onReplied(ended: AskedQuestion) {
    announce(`${ended.title}: ${statusWords[ended.status]}`)
    focusHeading()
  }
  function openNext() {
    next?.()
    focusHeading()
  }
  const selected = items.find((one) => one.id === id)
  return (
    <div>
      <output className="visually-hidden">{announced}</output>
      <BackToList list={list} />
      <QuestionView
        key={id}
        id={id}
        known={selected}
        onReplied={onReplied}
        headingRef={heading}
        ref={deciding}
        next={next !== undefined && <Button onClick={openNext}>Next question</Button>}
      />
      <Keys count={items.length} mayAnswer={selected?.mayAnswer === true} />
    </div>
  )
}

/** Shown where the question replaces the list. */
function BackToList({ list }: { list: QuestionList }) {
  return (
    <Button
      renderRoot={(props) => (
        <Link to="/questions" search={list === 'mine' ? {} : { show: list }} {...props} />
      )}
      variant="default"
      size="compact-sm"
      className={styles.back}
      leftSection={<IconArrowLeft size={14} stroke={1.6} aria-hidden="true" />}
    >
      All questions
    </Button>
  )
}

/** Only the shortcuts that work for this person. */
function Keys({ count, mayAnswer }: { count: number; mayAnswer: boolean }) {
  const keys = [
    ...(count > 1 ? ['J / K to move'] : []),
    ...(mayAnswer ? [`${modKey}+Enter to answer`, `${modKey}+Backspace to decline`] : []),
  ]
  if (keys.length === 0) return null
  return (
    <ul className={styles.keys} aria-label="Keyboard shortcuts">
      {keys.map((key) => (
        <li key={key}>{key}</li>
      ))}
    </ul>
  )
}

const emptyTexts: Readonly<Record<QuestionList, { title: string; text: string }>> = {
  mine: {
    title: 'Nobody is waiting for you',
    text: 'When an agent or a composition needs a fact or a choice that only a person has, its question appears here with a form. It is put to you, or to everyone with your role.',
  },
  all: { title: 'No open questions', text: 'Questions to anyone in this tenant appear here.' },
  ended: { title: 'No earlier questions', text: 'Answered and expired questions appear here.' },
}

function NoQuestions({ list }: { list: QuestionList }) {
  const { title, text } = emptyTexts[list]
  return (
    <Empty
      title={title}
      icon={<IconMessageQuestion size={24} stroke={1.5} aria-hidden="true" />}
      actions={
        list === 'mine' && (
          <Button
            renderRoot={(props) => <Link to="/questions" search={{ show: 'ended' }} {...props} />}
            variant="default"
          >
            View ended questions
          </Button>
        )
      }
    >
      {text}
    </Empty>
  )
}

function useMoves(items: readonly AskedQuestion[], id: string | undefined) {
  const navigate = useNavigate({ from: '/questions' })
  const open = (to: string) =>
    void navigate({ search: (before) => ({ ...before, id: to }), replace: true })
  const go = useChosen(items, id, open)
  const following = items.find((one) => one.id !== id && one.mayAnswer)
  return { go, next: following && (() => open(following.id)) }
}
