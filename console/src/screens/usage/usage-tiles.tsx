import { UnstyledButton } from '@mantine/core'
import { describePercent } from './amounts.ts'
import { describeFigure, describeShort } from './describe-figure.ts'
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
          <b>{describeShort(figureOf(sum, one), one)}</b>
          <span className={styles.aside}>{describeAside(sum, one)}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}

function describeAside(sum: UsageRow, measure: Measure): string {
  const each = (value: number) => (sum.calls === 0 ? 0 : value / sum.calls)
  if (measure === 'calls') return `${describePercent(sum.completed, sum.calls)} completed`
  if (measure === 'errors') return `${describePercent(figureOf(sum, 'errors'), sum.calls)} of calls`
  if (measure === 'cost') return sum.cost === 0 ? 'no tool has a price' : 'units'
  return `${describeFigure(each(sum[measure]), measure)} on average`
}
