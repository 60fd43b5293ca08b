import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { describeShort } from './describe-figure.ts'
import { figureOf } from './usage-figures.ts'
import type { Measure, UsageRow } from './usage-figures.ts'
import { locale } from '../../ui/format/locale.ts'

const dayNames = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

const ends = [
  { name: 'completed', label: 'Completed', color: 'var(--series-1)' },
  { name: 'failed', label: 'Failed', color: 'var(--series-failed)' },
  { name: 'denied', label: 'Denied', color: 'var(--series-4)' },
  { name: 'cancelled', label: 'Cancelled', color: 'var(--series-6)' },
] as const

const shown = {
  calls: ['completed', 'failed', 'denied', 'cancelled'],
  errors: ['failed', 'denied'],
}

interface UsageChartProps {
  days: readonly UsageRow[]
  measure: Measure
  label: string
  /** Called with the selected day. */
  onDay: (day: UsageRow) => void
}

/** One bar per day. Loaded on demand, because the library is large. */
export function UsageChart({ days, measure, label, onDay }: UsageChartProps) {
  const points = days.map((row) => ({
    day: dayNames.format(new Date(row.subject)),
    completed: row.completed,
    failed: row.failed,
    denied: row.denied,
    cancelled: row.cancelled,
    figure: figureOf(row, measure),
  }))
  // An outcome without calls is left out of the legend.
  const series =
    measure === 'calls' || measure === 'errors'
      ? ends.filter(
          ({ name }) => shown[measure].includes(name) && points.some((one) => one[name] > 0),
        )
      : [{ name: 'figure', label, color: 'var(--series-1)' }]
  return (
    <BarChart
      h={260}
      data={points}
      dataKey="day"
      type="stacked"
      series={[...series]}
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'top', height: 36 }}
      gridAxis="x"
      tickLine="none"
      valueFormatter={(value) => describeShort(value, measure)}
      yAxisProps={{ width: 64, allowDecimals: measure === 'cost' }}
      xAxisProps={{ minTickGap: 24 }}
      maxBarWidth={36}
      barProps={{
        isAnimationActive: false,
        cursor: 'pointer',
        onClick: (_, index) => {
          const day = days[index]
          if (day !== undefined) onDay(day)
        },
      }}
    />
  )
}
