import '@mantine/charts/styles.css'
import { BarChart, LineChart, RadarChart } from '@mantine/charts'
import { useReducedMotion } from '@mantine/hooks'
import { heightOf, lies } from './chart-model.ts'
import type { ChartModel } from './chart-model.ts'
import { seriesColours, seriesDashes } from './series-style.ts'
import { formatValue } from '../values/format-value.ts'
import { locale } from '../../ui/format/locale.ts'
import styles from './chart.module.css'

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

/** The drawing itself, in the colours of our tokens. In a chunk of its own. */
export function ChartDrawing({ model }: { model: ChartModel }) {
  return model.kind === 'radar' ? <Radar model={model} /> : <Grid model={model} />
}

function Grid({ model }: { model: ChartModel }) {
  const isStill = useReducedMotion()
  const { points, series, max, kind, isStacked } = model
  const isLying = lies(model)
  const hasNegative = points.some((point) =>
    series.some((_, index) => Number(point[`s${index}`]) < 0),
  )
  const common = {
    h: 280,
    data: points.map((point) => ({ ...point })),
    dataKey: 'x',
    withLegend: false,
    gridAxis: 'x' as const,
    strokeDasharray: '',
    gridColor: 'var(--line)',
    textColor: 'var(--dim)',
    tickLine: 'none' as const,
    xAxisProps: { tickMargin: 8, interval: 'preserveStartEnd' as const, minTickGap: 12 },
    yAxisProps: {
      width: 52,
      tickFormatter: (value: number) => compact.format(value),
      ...(max !== undefined && { domain: [0, max] }),
    },
    tooltipAnimationDuration: isStill ? 0 : 120,
    tooltipProps: { content: <Told model={model} /> },
    ...(hasNegative && { referenceLines: [{ y: 0, color: 'var(--dim)' }] }),
  }
  const named = series.map(({ label }, index) => ({
    name: `s${index}`,
    label,
    color: seriesColours[index] ?? 'var(--series-6)',
  }))
  if (kind === 'bar') {
    return (
      <BarChart
        {...common}
        {...(isLying && lying(model))}
        series={named}
        type={isStacked ? 'stacked' : 'default'}
        maxBarWidth={40}
        barProps={{ radius: isStacked || isLying ? 2 : [4, 4, 0, 0], isAnimationActive: false }}
        // Negative values extend down from zero and are not subtracted from positive ones.
        barChartProps={{ accessibilityLayer: false, margin, stackOffset: 'sign' }}
      />
    )
  }
  return (
    <LineChart
      {...common}
      series={named.map((entry, index) => ({
        ...entry,
        strokeDasharray: seriesDashes[index] ?? '',
      }))}
      curveType="linear"
      withDots={points.length <= 40}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ accessibilityLayer: false, margin }}
    />
  )
}

/** Room for the ends of the axes. */
const margin = { top: 12, right: 16, bottom: 0, left: 0 }

/** Room for the names around a radar. */
const around = { top: 20, right: 52, bottom: 20, left: 52 }

/** Long names are readable beside horizontal bars, but not below vertical ones. */
function lying({ points, series, max }: ChartModel) {
  return {
    orientation: 'vertical' as const,
    h: heightOf(points.length, series.length),
    gridAxis: 'y' as const,
    yAxisProps: {
      width: 128,
      interval: 0,
      tickFormatter: (value: unknown) => shorten(String(value)),
    },
    xAxisProps: {
      tickMargin: 8,
      tickFormatter: (value: number) => compact.format(value),
      ...(max !== undefined && { domain: [0, max] }),
    },
  }
}

function Radar({ model }: { model: ChartModel }) {
  const { points, series, max } = model
  return (
    <RadarChart
      h={280}
      data={points.map((point) => ({ ...point }))}
      dataKey="x"
      series={series.map(({ label }, index) => ({
        name: `s${index}`,
        label,
        color: seriesColours[index] ?? 'var(--series-6)',
        opacity: 0.15,
      }))}
      gridColor="var(--line-strong)"
      textColor="var(--dim)"
      withTooltip
      withDots
      withPolarRadiusAxis
      polarRadiusAxisProps={{
        domain: [0, max ?? 'auto'],
        tick: false,
        axisLine: false,
      }}
      polarAngleAxisProps={{ tickFormatter: (value: unknown) => shorten(String(value)) }}
      tooltipProps={{
        content: <Told model={model} />,
      }}
      radarProps={{ isAnimationActive: false }}
      radarChartProps={{ accessibilityLayer: false, outerRadius: '92%', margin: around }}
      accessibilityLayer={false}
    />
  )
}

function shorten(text: string): string {
  return text.length > 20 ? `${text.slice(0, 19)}…` : text
}

interface ToldProps {
  model: ChartModel
  // The drawing library fills these in.
  label?: unknown
  payload?: readonly { dataKey?: unknown; value?: unknown }[]
}

/** The values at the point under the pointer. */
function Told({ model, label, payload = [] }: ToldProps) {
  if (payload.length === 0) return null
  return (
    <div className={styles.tooltip}>
      <p dir="auto">{String(label)}</p>
      {model.series.map(({ key, label: name }, index) => {
        const value = payload.find(({ dataKey }) => dataKey === `s${index}`)?.value
        if (value === undefined) return null
        return (
          <div key={key}>
            <span dir="auto">{name}</span>
            <span>{formatValue(typeof value === 'number' ? value : null, model.writing)}</span>
          </div>
        )
      })}
    </div>
  )
}
