import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Ranked, RankingModel } from './ranking-model.ts'
import styles from './ranking.module.css'

const shownFirst = 20
const mostShown = 500

/** Bars in the order of a ranking, each with its place, its name and what it was ranked by. */
export function Ranking({ model, label }: { model: RankingModel; label: string }) {
  const [isAll, setAll] = useState(false)
  const shown = model.items.slice(0, isAll ? mostShown : shownFirst)
  return (
    <>
      <ol className={styles.ranking} aria-label={`${label}, by ${model.by}`}>
        {shown.map((item, index) => (
          <RankedLine key={index} item={item} />
        ))}
      </ol>
      {model.items.length > shown.length && !isAll && (
        <Button variant="subtle" size="xs" mt={8} onClick={() => setAll(true)}>
          {`Show ${Math.min(mostShown, model.items.length) - shown.length} more`}
        </Button>
      )}
    </>
  )
}

function RankedLine({ item }: { item: Ranked }) {
  return (
    <li>
      <div className={styles.line}>
        <span className={styles.name} dir="auto">
          <span className={styles.place}>{`${item.place}. `}</span>
          {item.name}
        </span>
        <span className={styles.said}>{item.said}</span>
      </div>
      <div className={styles.track} aria-hidden="true">
        <div
          className={styles.fill}
          data-negative={item.isNegative || undefined}
          style={{ width: `${item.share * 100}%` }}
        />
      </div>
      {item.details.length > 0 && (
        <p className={styles.details}>
          {item.details.map(({ label, said }) => `${label} ${said}`.trim()).join(' · ')}
        </p>
      )}
    </li>
  )
}
