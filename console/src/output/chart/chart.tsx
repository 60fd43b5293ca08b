import { Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { heightOf, lies } from './chart-model.ts'
import type { ChartModel } from './chart-model.ts'
import { Fallback } from '../fallback.tsx'
import { formatValue } from '../values/format-value.ts'
import { ChartDrawing } from '../lazy-drawings.ts'
import { count } from '../values/labels.ts'
import { seriesColours, seriesDashes } from './series-style.ts'
import styles from './chart.module.css'

/** A line, bar or radar chart, with a legend and what it shows in words. */
export function Chart({ model, label }: { model: ChartModel; label: string }) {
  const { series, kind, everyNth, points } = model
  return (
    <figure className={styles.figure} aria-label={describe(model, label)}>
      {series.length > 1 && (
        <ul className={styles.legend}>
          {series.map(({ key, label: name }, index) => (
            <li key={key}>
              <Swatch index={index} isLine={kind === 'line'} />
              <span dir="auto">{name}</span>
            </li>
          ))}
        </ul>
      )}
      <div
        className={styles.place}
        style={lies(model) ? { height: heightOf(points.length, series.length) } : undefined}
        aria-hidden="true"
      >
        <Fallback of={model} instead={<p>The chart could not be drawn. View it as a table.</p>}>
          <Suspense fallback={<Skeleton height={280} />}>
            <ChartDrawing model={model} />
          </Suspense>
        </Fallback>
      </div>
      {everyNth > 1 && (
        <p className={styles.note}>
          {`Drawn from ${count(points.length, 'point')}, one in ${everyNth}. The table has all of them.`}
        </p>
      )}
    </figure>
  )
}

function Swatch({ index, isLine }: { index: number; isLine: boolean }) {
  const colour = seriesColours[index] ?? ''
  return (
    <svg width={18} height={10} aria-hidden="true">
      {isLine ? (
        <line
          x1={0}
          y1={5}
          x2={18}
          y2={5}
          stroke={colour}
          strokeWidth={2.5}
          strokeDasharray={seriesDashes[index]}
        />
      ) : (
        <rect x={4} y={0} width={10} height={10} rx={3} fill={colour} />
      )}
    </svg>
  )
}

/** The description of the chart for screen readers. */
function describe({ kind, series, points, writing }: ChartModel, label: string): string {
  const kinds = { line: 'Line chart', bar: 'Bar chart', radar: 'Radar chart' }
  const first = points[0]?.['x'] ?? ''
  const last = points.at(-1)?.['x'] ?? ''
  const said = series.map(({ label: name }, index) => {
    const values = points.flatMap((point) => {
      const value = point[`s${index}`]
      return typeof value === 'number' ? [value] : []
    })
    if (values.length === 0) return `${name}: no values`
    const low = values.reduce((a, b) => Math.min(a, b))
    const high = values.reduce((a, b) => Math.max(a, b))
    return `${name} from ${formatValue(low, writing)} to ${formatValue(high, writing)}`
  })
  return `${kinds[kind]}, ${label}, ${first} to ${last}. ${said.join('. ')}.`
}
