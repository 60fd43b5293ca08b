import type { ReactNode } from 'react'
import styles from './row-list.module.css'

/** For the link that names a row: it then covers all of it. */
export const rowLink = styles.name

/** Things below each other, a hairline between. */
export function RowList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>
}

interface RowProps {
  /** Short ones, at the right. */
  facts?: ReactNode
  children: ReactNode
}

/** One of them: what it is, and what is to be known at a glance. */
export function Row({ facts, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.words}>{children}</div>
      {facts !== undefined && <div className={styles.facts}>{facts}</div>}
    </li>
  )
}
