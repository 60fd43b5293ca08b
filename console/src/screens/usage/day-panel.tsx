import { Button, SegmentedControl, Table } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Panel } from '../../ui/page.tsx'
import { describeFigure } from './describe-figure.ts'
import { callsOfDay, figureOf, measureNames, measures } from './usage-figures.ts'
import type { Measure, UsageRow } from './usage-figures.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './usage.module.css'

const UsageChart = lazyPart(async () => (await import('./usage-chart.tsx')).UsageChart)

interface DayPanelProps {
  days: readonly UsageRow[]
  measure: Measure
  onMeasure: (measure: Measure) => void
  isTable: boolean
  onTable: (isTable: boolean) => void
}

/** Usage per day, as a chart or a table. */
export function DayPanel({ days, measure, onMeasure, isTable, onTable }: DayPanelProps) {
  const name = measureNames[measure]
  const navigate = useNavigate()
  return (
    <Panel
      title={`${name} per day`}
      description="Select a day to see its calls."
      actions={
        <div className={styles.switches}>
          <SegmentedControl
            size="xs"
            aria-label="Measure"
            value={measure}
            onChange={(next) => onMeasure(measures.find((one) => one === next) ?? 'calls')}
            data={measures.map((value) => ({ value, label: measureNames[value] }))}
          />
          <Button variant="default" size="xs" onClick={() => onTable(!isTable)}>
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        </div>
      }
    >
      {isTable ? (
        <DayTable days={days} measure={measure} />
      ) : (
        <figure className={styles.figure} aria-label={`${name} per day; also available as a table`}>
          <Suspense fallback={<Skeleton height={260} />}>
            <UsageChart
              days={days}
              measure={measure}
              label={name}
              onDay={({ subject }) =>
                void navigate({ to: '/calls', search: callsOfDay(subject, measure) })
              }
            />
          </Suspense>
        </figure>
      )}
    </Panel>
  )
}

function DayTable({ days, measure }: { days: readonly UsageRow[]; measure: Measure }) {
  const hasEnds = measure === 'calls' || measure === 'errors'
  return (
    <section className={styles.scroll} tabIndex={0} aria-label="Figures per day">
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            <Table.Th ta="right">{measureNames[measure]}</Table.Th>
            {hasEnds && (
              <>
                <Table.Th ta="right">Completed</Table.Th>
                <Table.Th ta="right">Failed</Table.Th>
                <Table.Th ta="right">Denied</Table.Th>
                <Table.Th ta="right">Cancelled</Table.Th>
              </>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((row) => (
            <Table.Tr key={row.subject}>
              <Table.Td>
                {row.calls === 0 ? (
                  row.subject
                ) : (
                  <Link to="/calls" search={callsOfDay(row.subject, measure)}>
                    {row.subject}
                  </Link>
                )}
              </Table.Td>
              <Table.Td ta="right">{describeFigure(figureOf(row, measure), measure)}</Table.Td>
              {hasEnds && (
                <>
                  <Table.Td ta="right">{formatNumber(row.completed)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.failed)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.denied)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.cancelled)}</Table.Td>
                </>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
