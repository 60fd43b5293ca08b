import type { ReactNode } from 'react'
import type { Tone } from './tag.tsx'
import styles from './notice.module.css'

interface NoticeProps {
  tone?: Tone
  title: ReactNode
  /** The way out. */
  children?: ReactNode
  /** It comes up after something was pressed: said at once to whoever can't see it. */
  isNews?: boolean
  /** Where nothing around it keeps things apart. */
  isApart?: boolean
}

/** A fact about what stands below it, in the colours that mean something. */
export function Notice(props: NoticeProps) {
  const { tone = 'plain', title, children, isNews = false, isApart = false } = props
  return (
    <div
      className={styles.notice}
      data-tone={tone}
      data-apart={isApart || undefined}
      role={isNews ? 'alert' : undefined}
    >
      <b>{title}</b>
      {children !== undefined && <div>{children}</div>}
    </div>
  )
}
