import { Link } from '@tanstack/react-router'
import { useNames } from '../../api/use-names.ts'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { Expiry } from '../approvals/expiry.tsx'
import styles from '../approvals/approvals.module.css'
import type { AskedQuestion } from './use-questions.ts'
import { statusWords } from './words.ts'

interface QuestionListProps {
  items: readonly AskedQuestion[]
  currentId: string | undefined
  query: Parameters<typeof LoadMore>[0]['query']
}

/** Questions in the given order. Each row is a link that opens one beside the list, or in its place on a phone. */
export function QuestionRows({ items, currentId, query }: QuestionListProps) {
  return (
    <>
      <ul>
        {items.map((question) => (
          <Row key={question.id} question={question} isCurrent={question.id === currentId} />
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  )
}

function Row({ question, isCurrent }: { question: AskedQuestion; isCurrent: boolean }) {
  const nameOf = useNames()
  const { id, title, text, status, askedBy, createdAt, expiresAt } = question
  const { agent, principal } = askedBy
  const isPending = status === 'pending'
  return (
    <li className={styles.row} data-current={isCurrent || undefined}>
      <Link
        to="/questions"
        search={(before) => ({ ...before, id })}
        className={styles.rowMain}
        aria-current={isCurrent ? 'true' : undefined}
        data-request={id}
      >
        <span className={styles.rowTop}>
          <strong dir="auto">{title}</strong>
          {!isPending && <Tag>{statusWords[status]}</Tag>}
        </span>
        {text !== undefined && (
          <span className={styles.rowInput} dir="auto">
            {withoutMarks(text)}
          </span>
        )}
        <span className={styles.rowMeta}>
          <span dir="auto">{agent === undefined ? nameOf(principal) : `agent ${agent}`}</span>
          <TimeAgo at={createdAt} />
          {isPending && <Expiry at={expiresAt} />}
        </span>
      </Link>
    </li>
  )
}

/** The beginning of a Markdown text, as one plain line. */
function withoutMarks(text: string): string {
  return text
    .slice(0, 300)
    .replaceAll(/[*_`#>]+/g, '')
    .replaceAll(/\s+/g, ' ')
}
