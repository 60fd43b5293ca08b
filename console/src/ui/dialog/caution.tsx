import type { ReactNode } from 'react'
import styles from './caution.module.css'

interface CautionProps {
  /** `ask`: check before you continue; `deny`: it failed. */
  tone?: 'plain' | 'ask' | 'deny'
  title?: string
  children?: ReactNode
  role?: 'alert'
}

/** A few words that must not be overlooked. */
export function Caution({ tone = 'plain', title, children, role }: CautionProps) {
  return (
    <div className={styles.caution} data-tone={tone} role={role}>
      {title !== undefined && <p dir="auto">{title}</p>}
      {children}
    </div>
  )
}
