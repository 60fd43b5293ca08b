import { useId } from 'react'
import type { ReactNode } from 'react'
import type { Planned } from './plan.ts'
import { toSafeLine } from './values/safe-text.ts'
import { group } from './scroll-box.tsx'
import styles from './output.module.css'

interface PartFrameProps {
  part: Planned
  isWide: boolean
  actions?: ReactNode
  children: ReactNode
}

/** A part of an output with its title and what can be done with it. */
export function PartFrame({
  part: { title, description },
  isWide,
  actions,
  children,
}: PartFrameProps) {
  const id = useId()
  const hasTitle = title !== undefined
  return (
    <div
      className={styles.part}
      data-wide={isWide || undefined}
      {...(hasTitle && { ...group, 'aria-labelledby': id })}
    >
      {(hasTitle || actions !== undefined) && (
        <div className={styles.head}>
          <div>
            {hasTitle && (
              <h2 className={styles.title} id={id} dir="auto">
                {toSafeLine(title)}
              </h2>
            )}
            {description !== undefined && <p className={styles.note}>{description}</p>}
          </div>
          <div className={styles.actions}>{actions}</div>
        </div>
      )}
      {children}
    </div>
  )
}
