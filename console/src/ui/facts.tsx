import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** The facts about one thing as a list of terms and values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One of them. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </>
  )
}
