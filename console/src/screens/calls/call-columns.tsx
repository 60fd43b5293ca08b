import { IconCornerDownRight } from '@tabler/icons-react'
import { useMemo } from 'react'
import { formatNumber } from '../../ui/format/locale.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { formatDuration, TimeAgo, useNow } from '../../ui/time.tsx'
import type { Column } from '../../ui/list/virtual-table.tsx'
import type { CallRow } from './call-row.ts'
import { ranMs } from './call-row.ts'
import { useNames } from '../../api/use-names.ts'
import type { NameOf } from '../../api/use-names.ts'
import { NamedCaller } from './caller.tsx'
import { useToolTitles } from './use-tool-titles.ts'
import styles from './calls.module.css'

/** The columns of the call list. */
export function useCallColumns(): readonly Column<CallRow>[] {
  const describeName = useNames()
  const titleOf = useToolTitles()
  return useMemo(() => toColumns(describeName, titleOf), [describeName, titleOf])
}

type TitleOf = ReturnType<typeof useToolTitles>

/** The columns that need no names. */
const factColumns: readonly Column<CallRow>[] = [
  {
    key: 'result',
    title: 'Error',
    width: 'minmax(0, 1fr)',
    isExtra: true,
    render: ({ errorCode, errorMessage }) =>
      errorCode !== undefined && (
        <span className={styles.error} title={`${errorCode}: ${errorMessage ?? ''}`} dir="auto">
          {errorMessage === undefined ? errorCode : toSafeLine(errorMessage)}
        </span>
      ),
  },
  {
    key: 'cost',
    title: 'Cost',
    width: '56px',
    isNumeric: true,
    isExtra: true,
    render: ({ cost }) => (cost === undefined ? undefined : formatNumber(cost)),
  },
  {
    key: 'duration',
    title: 'Duration',
    width: '76px',
    isNumeric: true,
    isExtra: true,
    render: (row) => <Duration row={row} />,
  },
  {
    key: 'started',
    title: 'Requested',
    width: '88px',
    isNumeric: true,
    render: ({ requestedAt }) => (
      <span className={styles.when}>
        <TimeAgo at={requestedAt} />
      </span>
    ),
  },
]

const toColumns = (describeName: NameOf, titleOf: TitleOf): readonly Column<CallRow>[] => [
  {
    key: 'status',
    title: 'Status',
    width: '92px',
    render: ({ status }) => <StatusTag status={status} />,
  },
  {
    key: 'tool',
    title: 'Tool',
    width: 'minmax(0, 1.4fr)',
    render: (row) => <ToolCell row={row} titleOf={titleOf} describeName={describeName} />,
  },
  {
    key: 'caller',
    title: 'Caller',
    width: 'minmax(0, 1fr)',
    isExtra: true,
    render: ({ principal, agent }) => (
      <NamedCaller
        principal={principal}
        name={describeName(principal)}
        {...(agent !== undefined && { agent })}
      />
    ),
  },
  ...factColumns,
]

interface ToolCellProps {
  row: CallRow
  titleOf: TitleOf
  describeName: NameOf
}

function ToolCell({ row, titleOf, describeName }: ToolCellProps) {
  const title = titleOf(row.tool)
  const { agent, principal, errorMessage } = row
  return (
    <span className={styles.tool}>
      {row.parentId !== undefined && (
        <IconCornerDownRight size={14} stroke={1.6} aria-label="Started by another call" />
      )}
      {/* A plain link: a router link in every row would cost more than the row. */}
      <a
        href={`/calls/${row.callId}`}
        tabIndex={-1}
        onClick={(event) => {
          if (!event.metaKey && !event.ctrlKey && !event.shiftKey) event.preventDefault()
        }}
      >
        {title ?? <code>{row.tool}</code>}
        <small>
          {title !== undefined && <code>{row.tool}</code>}
          {/* Shown where these columns don't fit. */}
          <span className={styles.narrow} dir="auto">
            {agent === undefined ? describeName(principal) : `agent ${agent}`}
            {errorMessage !== undefined && ` · ${toSafeLine(errorMessage)}`}
          </span>
        </small>
      </a>
    </span>
  )
}

function Duration({ row }: { row: CallRow }) {
  if (row.settledAt === undefined && row.status === 'running') return <Running row={row} />
  const ms = row.settledAt === undefined ? undefined : ranMs(row, 0)
  return <span className={styles.when}>{ms === undefined ? '' : formatDuration(ms)}</span>
}

/** Only running calls subscribe to the clock. */
function Running({ row }: { row: CallRow }) {
  const ms = ranMs(row, useNow())
  return <span className={styles.when}>{ms === undefined ? '' : formatDuration(ms)}</span>
}
