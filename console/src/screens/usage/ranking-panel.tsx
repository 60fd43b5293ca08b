import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Loading } from '../../ui/loading.tsx'
import { describePercent } from './amounts.ts'
import { describeFigure } from './describe-figure.ts'
import { figureOf, measureNames, ranked } from './usage-figures.ts'
import type { Measure, UsageRow } from './usage-figures.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './usage.module.css'

export const groups = ['tool', 'agent', 'principal', 'key'] as const
export type Group = (typeof groups)[number]

const groupNames: Readonly<Record<Group, string>> = {
  tool: 'Tools',
  agent: 'Agents',
  principal: 'Callers',
  key: 'Keys',
}

interface RankingPanelProps {
  from: string
  /** The number of days, today included. */
  days: number
  by: Group
  onBy: (by: Group) => void
  measure: Measure
}

const firstRows = 10

/** The tools and callers with the highest usage. */
export function RankingPanel({ from, days, by, onBy, measure }: RankingPanelProps) {
  const [isWhole, setWhole] = useState(false)
  const query = useQuery({
    queryKey: ['usage-figures', by === 'key' ? 'principal' : by, from],
    queryFn: () =>
      read(
        api.GET('/api/v1/usage', {
          params: { query: { from, by: by === 'key' ? 'principal' : by } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const p95 = useToolP95(days, by === 'tool' && days <= maxSpanDays)
  return (
    <Panel
      title={`Most ${measure === 'calls' ? 'calls' : measureNames[measure].toLowerCase()}`}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Group by"
          value={by}
          onChange={(next) => onBy(groups.find((one) => one === next) ?? 'tool')}
          data={groups.map((value) => ({ value, label: groupNames[value] }))}
        />
      }
    >
      <QueryView query={query} loading={<Loading rows={4} />}>
        {({ items }) => {
          const fitting = by === 'key' ? items.filter(isKey) : items
          const rows = ranked(fitting, measure)
          const shown = isWhole ? rows : rows.slice(0, firstRows)
          const most = rows[0] === undefined ? 1 : figureOf(rows[0], measure)
          return (
            <>
              {rows.length === 0 && <p className={styles.none}>None in this period.</p>}
              <ol className={styles.ranking}>
                {shown.map((row) => (
                  <RankedRow
                    key={row.subject}
                    row={row}
                    by={by}
                    measure={measure}
                    most={most}
                    p95Ms={p95.get(row.subject)}
                  />
                ))}
              </ol>
              {rows.length > firstRows && (
                <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
                  {isWhole ? `Show first ${firstRows}` : `Show all ${rows.length}`}
                </Button>
              )}
            </>
          )
        }}
      </QueryView>
    </Panel>
  )
}

/** The server reports durations for at most this many days. */
const maxSpanDays = 90

/** The 95th percentile of call durations; only tools have it. */
function useToolP95(days: number, isWanted: boolean): ReadonlyMap<string, number> {
  const { data } = useQuery({
    queryKey: ['usage-figures', 'tool-spans', days],
    queryFn: () => read(api.GET('/api/v1/tool-usage', { params: { query: { days } } })),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  const items = isWanted ? (data?.items ?? []) : []
  return new Map(items.flatMap(({ tool, p95Ms }) => (p95Ms === undefined ? [] : [[tool, p95Ms]])))
}

function isKey({ subject }: UsageRow): boolean {
  return subject.startsWith('key:')
}

interface RankedRowProps {
  row: UsageRow
  by: Group
  measure: Measure
  most: number
  p95Ms: number | undefined
}

function RankedRow({ row, by, measure, most, p95Ms }: RankedRowProps) {
  const figure = figureOf(row, measure)
  const errors = row.failed + row.denied
  return (
    <li>
      <span className={styles.subject}>
        <SubjectLink row={row} by={by} />
        <span className={styles.aside}>
          {measure !== 'calls' && `${formatNumber(row.calls)} calls · `}
          {errors > 0 ? `${describePercent(errors, row.calls)} errors · ` : ''}
          {describeFigure(row.calls === 0 ? 0 : row.runMs / row.calls, 'runMs')} on average
          {p95Ms !== undefined && ` · p95 ${describeFigure(p95Ms, 'runMs')}`}
        </span>
      </span>
      <span className={styles.bar} aria-hidden="true">
        <i style={{ width: `${Math.max(1, (figure / most) * 100)}%` }} />
      </span>
      <b>{describeFigure(figure, measure)}</b>
    </li>
  )
}

function SubjectLink({ row, by }: { row: UsageRow; by: Group }) {
  const { subject, name } = row
  if (by === 'tool') {
    return (
      <Link to="/calls" search={{ tool: subject }}>
        <code>{subject}</code>
      </Link>
    )
  }
  if (by === 'agent') {
    return (
      <Link to="/calls" search={{ agent: subject }}>
        {name ?? subject}
      </Link>
    )
  }
  const id = subject.slice(subject.indexOf(':') + 1)
  return (
    <Link to="/calls" search={{ principal: id }} dir="auto" title={subject}>
      {name ?? subject}
    </Link>
  )
}
