import type { Api } from '../../../api/client.ts'
import type { GraphRow } from './step-graph.ts'
import styles from './steps-panel.module.css'

const columnWidth = 16
/** The dot of a step is level with its first line of text. */
const dotAt = 20
const bendEnd = 40

/** The lines to and from one step. A row may be taller than its curves, so lines end at its edge. */
export function StepLines({ row, width }: { row: GraphRow<Api<'CallStep'>>; width: number }) {
  const { column, into, out, past } = row
  const x = (at: number) => columnWidth / 2 + at * columnWidth
  return (
    <div className={styles.lines} style={{ width: width * columnWidth }} aria-hidden="true">
      <svg>
        {past.map((at) => (
          <line key={`past ${at}`} x1={x(at)} x2={x(at)} y1="0" y2="100%" />
        ))}
        {into.map((at) => (
          <path key={`into ${at}`} d={curve([x(at), 0], [x(column), dotAt])} />
        ))}
        {out.map((at) => (
          <g key={`out ${at}`}>
            <path d={curve([x(column), dotAt], [x(at), bendEnd])} />
            <line x1={x(at)} x2={x(at)} y1={bendEnd} y2="100%" />
          </g>
        ))}
        <circle cx={x(column)} cy={dotAt} r={5} />
      </svg>
    </div>
  )
}

type Point = readonly [x: number, y: number]

function curve([fromX, fromY]: Point, [toX, toY]: Point): string {
  const middle = (fromY + toY) / 2
  return `M${fromX} ${fromY}C${fromX} ${middle} ${toX} ${middle} ${toX} ${toY}`
}
