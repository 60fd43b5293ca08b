import type { ReactNode } from 'react'
import styles from './tag.module.css'

/** The meaning of a colour: see tokens.css. `plain` has no meaning. */
export type Tone = 'plain' | 'write' | 'deny' | 'ask' | 'allow' | 'iris'

interface TagProps {
  tone?: Tone
  children: ReactNode
  title?: string
  /** Something is under way: a dot that breathes. */
  isBusy?: boolean
}

/** A small word with a meaning. */
export function Tag({ tone = 'plain', children, title, isBusy = false }: TagProps) {
  return (
    <span className={styles.tag} data-tone={tone} title={title}>
      {isBusy && <span className={styles.dot} aria-hidden="true" />}
      {children}
    </span>
  )
}
