import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** What is to be said of one thing, each with its name at the left: terms and what they are. */
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
