import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { sayShort } from './say-figure.ts'
import { figureOf } from './usage-figures.ts'
import type { Measure, UsageRow } from './usage-figures.ts'

const dayNames = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

const ends = [
  { name: 'completed', label: 'Completed', color: 'var(--series-1)' },
  { name: 'failed', label: 'Failed', color: 'var(--series-3)' },
  { name: 'denied', label: 'Denied', color: 'var(--series-4)' },
  { name: 'cancelled', label: 'Cancelled', color: 'var(--series-6)' },
]

interface UsageChartProps {
  days: readonly UsageRow[]
  measure: Measure
  label: string
}

/** One bar a day. Loaded when there is something to draw: the library is large. */
export function UsageChart({ days, measure, label }: UsageChartProps) {
  const series =
    measure === 'calls'
      ? ends
      : measure === 'errors'
        ? ends.slice(1, 3)
        : [{ name: 'figure', label, color: 'var(--series-1)' }]
  const points = days.map((row) => ({
    day: dayNames.format(new Date(row.subject)),
    completed: row.completed,
    failed: row.failed,
    denied: row.denied,
    cancelled: row.cancelled,
    figure: figureOf(row, measure),
  }))
  return (
    <BarChart
      h={260}
      data={points}
      dataKey="day"
      type="stacked"
      series={series}
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'top', height: 36 }}
      gridAxis="x"
      tickLine="none"
      valueFormatter={(value) => sayShort(value, measure)}
      yAxisProps={{ width: 64, allowDecimals: measure === 'cost' }}
      xAxisProps={{ minTickGap: 24 }}
      maxBarWidth={36}
      barProps={{ isAnimationActive: false }}
    />
  )
}
