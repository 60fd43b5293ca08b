import { Skeleton } from './skeleton.tsx'
import styles from './loading.module.css'

/** Uneven, as names are. */
const widths = ['34%', '26%', '42%', '30%', '38%']

interface LoadingProps {
  rows?: number
  /** The height of a row in pixels, so that the real rows do not shift the page. */
  height?: number
}

/** Rows of the height that the real ones will have. */
export function Loading({ rows = 6, height = 40 }: LoadingProps) {
  return (
    <output className={styles.late} aria-label="Loading" data-frame>
      {indexes(rows).map((row) => (
        <span key={row} className={styles.row} style={{ height }}>
          <span className={styles.words}>
            <Skeleton width={widthOf(row)} />
            {height >= 52 && <Skeleton width={widthOf(row + 2)} height={10} />}
          </span>
          <Skeleton width={64} />
        </span>
      ))}
    </output>
  )
}

interface LoadingCardsProps {
  cards?: number
  height?: number
  /** The grid of the real cards. */
  className: string | undefined
}

/** Cards in a grid: a name, what it is for, and a foot. */
export function LoadingCards({ cards = 6, height = 120, className }: LoadingCardsProps) {
  return (
    <output className={styles.late} aria-label="Loading">
      <span className={className}>
        {indexes(cards).map((card) => (
          <span key={card} className={styles.card} style={{ height }}>
            <Skeleton width={widthOf(card)} height={14} />
            <Skeleton width="90%" height={10} />
            <Skeleton width="40%" />
          </span>
        ))}
      </span>
    </output>
  )
}

/** Facts about one thing: terms on the left, values on the right. */
export function LoadingFacts({ rows = 5 }: { rows?: number }) {
  return (
    <output className={styles.late} aria-label="Loading">
      <span className={styles.facts}>
        {indexes(rows).map((row) => (
          <span key={row} className={styles.fact}>
            <Skeleton width="70%" />
            <Skeleton width={widthOf(row)} />
          </span>
        ))}
      </span>
    </output>
  )
}

/** Fields of a form, each below its label. */
export function LoadingFields({ fields = 3 }: { fields?: number }) {
  return (
    <output className={styles.late} aria-label="Loading">
      <span className={styles.fields}>
        {indexes(fields).map((field) => (
          <span key={field} className={styles.field}>
            <Skeleton width={`${20 + (field % 3) * 6}%`} />
            <Skeleton height={36} />
          </span>
        ))}
      </span>
    </output>
  )
}

/** The tabs of a page whose subject is not there yet. */
export function LoadingTabs({ tabs }: { tabs: number }) {
  return (
    <div className={`${styles.late} ${styles.tabs}`} aria-hidden="true">
      {indexes(tabs).map((tab) => (
        <Skeleton key={tab} width={48} />
      ))}
    </div>
  )
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function widthOf(index: number): string {
  return widths[index % widths.length] ?? '30%'
}
