import styles from './spark.module.css'

const barWidth = 5
const gap = 2
const height = 22

/** Calls per day as bars, today on the right. The total is written beside it. */
export function Spark({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days)
  const width = days.length * (barWidth + gap) - gap
  return (
    <svg className={styles.spark} width={width} height={height} aria-hidden="true">
      {days.map((calls, day) => {
        const tall = calls === 0 ? 1 : Math.max(3, Math.round((calls / most) * height))
        return (
          <rect
            key={day}
            x={day * (barWidth + gap)}
            y={height - tall}
            width={barWidth}
            height={tall}
            rx={1}
            data-empty={calls === 0 || undefined}
          />
        )
      })}
    </svg>
  )
}
