import { UnstyledButton } from '@mantine/core'
import { sayPercent } from './amounts.ts'
import { sayFigure, sayShort } from './say-figure.ts'
import { figureOf, measureNames, measures } from './usage-figures.ts'
import type { Measure, UsageRow } from './usage-figures.ts'
import styles from './usage.module.css'

interface UsageTilesProps {
  sum: UsageRow
  measure: Measure
  onMeasure: (measure: Measure) => void
}

/** The totals; selecting one shows it per day. */
export function UsageTiles({ sum, measure, onMeasure }: UsageTilesProps) {
  return (
    <div className={styles.tiles}>
      {measures.map((one) => (
        <UnstyledButton
          key={one}
          className={styles.tile}
          aria-pressed={one === measure}
          onClick={() => onMeasure(one)}
        >
          <span>{measureNames[one]}</span>
          <b>{sayShort(figureOf(sum, one), one)}</b>
          <span className={styles.aside}>{sayAside(sum, one)}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}

function sayAside(sum: UsageRow, measure: Measure): string {
  const each = (value: number) => (sum.calls === 0 ? 0 : value / sum.calls)
  if (measure === 'calls') return `${sayPercent(sum.completed, sum.calls)} completed`
  if (measure === 'errors') return `${sayPercent(figureOf(sum, 'errors'), sum.calls)} of calls`
  if (measure === 'cost') return sum.cost === 0 ? 'no tool has a price' : 'units'
  return `${sayFigure(each(sum[measure]), measure)} on average`
}
