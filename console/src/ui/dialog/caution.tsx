import type { ReactNode } from 'react'
import styles from './caution.module.css'

interface CautionProps {
  /** `ask`: look before you go on; `deny`: it did not work. */
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
