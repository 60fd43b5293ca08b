import type { ReactNode } from 'react'
import type { Tone } from './tag.tsx'
import styles from './notice.module.css'

interface NoticeProps {
  tone?: Tone
  title: ReactNode
  /** The fix. */
  children?: ReactNode
  /** It appears after an action: announced at once by screen readers. */
  isNews?: boolean
  /** Where nothing around it keeps things apart. */
  isApart?: boolean
}

/** A message about the content below it, in the colour of its meaning. */
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
