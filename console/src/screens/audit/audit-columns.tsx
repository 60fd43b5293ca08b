import { useMemo } from 'react'
import type { Api } from '../../api/client.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { formatExactDateTime, formatShortDateTime } from '../../ui/format/format-date-time.ts'
import type { Column } from '../../ui/list/virtual-table.tsx'
import { useNames } from '../../api/use-names.ts'
import type { NameOf } from '../../api/use-names.ts'
import { NamedCaller } from '../calls/caller.tsx'
import { outcomeOf, describeAction, describeTarget } from './audit-words.ts'
import styles from './audit.module.css'

/** One event as a row. */
export function useAuditColumns(): readonly Column<Api<'AuditEntry'>>[] {
  const describeName = useNames()
  return useMemo(() => toColumns(describeName), [describeName])
}

const toColumns = (describeName: NameOf): readonly Column<Api<'AuditEntry'>>[] => [
  {
    key: 'at',
    title: 'When',
    width: '116px',
    render: ({ at }) => (
      <time className={styles.dim} dateTime={at} title={formatExactDateTime(at)}>
        {formatShortDateTime(at)}
      </time>
    ),
  },
  {
    key: 'actor',
    title: 'Who',
    width: 'minmax(0, 1fr)',
    isExtra: true,
    render: ({ principal, principalName, agent }) => (
      <NamedCaller
        principal={principal}
        name={principalName ?? describeName(principal)}
        {...(agent !== undefined && { agent })}
      />
    ),
  },
  {
    key: 'action',
    title: 'What',
    width: 'minmax(0, 1fr)',
    render: ({ type, principal, principalName, agent }) => (
      <span className={styles.what} title={type}>
        {describeAction(type)}
        <small dir="auto">
          {agent === undefined ? (principalName ?? describeName(principal)) : `agent ${agent}`}
        </small>
      </span>
    ),
  },
  {
    key: 'target',
    title: 'About',
    width: 'minmax(0, 1.2fr)',
    render: (entry) => (
      <code dir="auto" title={describeTarget(entry)}>
        {describeTarget(entry)}
      </code>
    ),
  },
  {
    key: 'outcome',
    title: 'Outcome',
    width: '92px',
    isExtra: true,
    render: (entry) => {
      const outcome = outcomeOf(entry)
      return outcome !== undefined && <StatusTag status={outcome} />
    },
  },
]
