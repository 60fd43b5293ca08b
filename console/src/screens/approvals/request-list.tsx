import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { EffectTag, StatusTag } from '../../ui/status-tags.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { Expiry } from './expiry.tsx'
import { summarizeBriefly } from './summarize-briefly.ts'
import { saidYes } from './why-not.ts'
import type { Approval } from './use-approvals.ts'
import { useNames } from '../../api/use-names.ts'
import styles from './approvals.module.css'

// Names need the form model; until it is loaded, the raw input is shown.
const InputLine = lazyPart(async () => (await import('./input-line.tsx')).InputLine)

interface RequestListProps {
  items: readonly Approval[]
  tools: ReadonlyMap<string, Api<'ToolDetail'>>
  currentId: string | undefined
  /** Ids of the selected requests; undefined if they can't be decided together. */
  ticked?: ReadonlySet<string>
  onTick?: (id: string, isTicked: boolean) => void
  query: Parameters<typeof LoadMore>[0]['query']
}

/** Requests in the given order. Each row is a link that opens the request beside the list, or in its place on a phone. */
export function RequestList({ items, query, ...rest }: RequestListProps) {
  return (
    <>
      <ul>
        {items.map((approval) => (
          <Row key={approval.id} approval={approval} {...rest} />
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  )
}

type RowProps = Pick<RequestListProps, 'tools' | 'currentId' | 'ticked' | 'onTick'> & {
  approval: Approval
}

function Row({ approval, tools, currentId, ticked, onTick }: RowProps) {
  const { id, status } = approval
  const tool = tools.get(approval.tool)
  const title = tool?.title ?? approval.tool
  const isCurrent = id === currentId
  const isPending = status === 'pending'
  const input = (approval.input ?? null) as JsonValue
  return (
    <li className={styles.row} data-current={isCurrent || undefined}>
      {ticked !== undefined && isPending && (
        <span className={styles.rowTick}>
          <Checkbox
            size="xs"
            aria-label={`Select ${title}`}
            checked={ticked.has(id)}
            onChange={(event) => onTick?.(id, event.currentTarget.checked)}
          />
        </span>
      )}
      <Link
        to="/approvals"
        search={(before) => ({ ...before, id })}
        className={styles.rowMain}
        aria-current={isCurrent ? 'true' : undefined}
        data-request={id}
      >
        <span className={styles.rowTop}>
          <strong dir="auto">{title}</strong>
          {isPending ? (
            tool !== undefined && <EffectTag effect={tool.effect} />
          ) : (
            <StatusTag status={status} />
          )}
        </span>
        <span className={styles.rowInput} dir="auto">
          <Suspense fallback={summarizeBriefly(input)}>
            <InputLine tool={tool} value={input} />
          </Suspense>
        </span>
        <RowMeta approval={approval} />
      </Link>
    </li>
  )
}

function RowMeta({ approval }: { approval: Approval }) {
  const nameOf = useNames()
  const { status, needed, requestedBy, createdAt, expiresAt } = approval
  const { agent, principal } = requestedBy
  const isPending = status === 'pending'
  return (
    <span className={styles.rowMeta}>
      <span dir="auto">{agent === undefined ? nameOf(principal) : `agent ${agent}`}</span>
      <TimeAgo at={createdAt} />
      {isPending && needed > 1 && (
        <span>{`${saidYes(approval).length} of ${needed} approved`}</span>
      )}
      {isPending && <Expiry at={expiresAt} />}
    </span>
  )
}
